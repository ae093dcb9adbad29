import { useState } from 'preact/hooks';
import { forgetKey } from '../../api/key.ts';
import { chooseUser, chosenUser } from '../../api/user.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { chooseLook, look } from '../../state/look.ts';
import { shell } from '../../words/shell.ts';
import { chooseLanguage, language } from '../../words/words.ts';
import { words } from './words.ts';

/** What this browser alone keeps. */
export function Browser() {
  const [user, setUser] = useState(chosenUser() ?? '');
  return (
    <div class="settings">
      <SelectField
        label={shell.look}
        value={look.value}
        options={[
          { value: 'auto', says: shell.lookAuto },
          { value: 'light', says: shell.lookLight },
          { value: 'dark', says: shell.lookDark },
        ]}
        onValue={chooseLook}
      />
      <SelectField
        label={shell.language}
        value={language}
        options={[
          { value: 'en', says: shell.english },
          { value: 'de', says: shell.german },
        ]}
        onValue={chooseLanguage}
      />
      <Form
        class="one-field"
        onSubmit={() => {
          chooseUser(user.trim());
          location.reload();
        }}
      >
        <TextField
          label={words.user}
          hint={words.userHint}
          placeholder="default"
          value={user}
          onValue={setUser}
        />
        <button type="submit">{words.useUser}</button>
      </Form>
      <p>
        <button
          type="button"
          onClick={() => {
            forgetKey();
            location.reload();
          }}
        >
          {shell.keyForget}
        </button>
      </p>
    </div>
  );
}
