import { useEffect, useRef, useState } from 'preact/hooks';
import { Switch } from '../../../parts/fields.tsx';
import { Go } from '../../../parts/go.tsx';
import { Plain } from '../../../parts/plain.tsx';
import { words } from '../words.ts';
import { Call } from './call.ts';

interface VoiceProps {
  readonly sessionId: string | undefined;
  readonly onSession: (sessionId: string) => void;
  readonly onEnd: () => void;
}

/** Talks with hark: by holding a button, or hands-free. */
export default function Voice({ sessionId, onSession, onEnd }: VoiceProps) {
  const [call] = useState(() => new Call(sessionId, onSession));
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    call.start().catch((error: unknown) => {
      call.leave();
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
      setTrouble(isRefused ? words.micRefused : words.micNone);
    });
    // On another page nobody wants to be listened to unseen.
    return () => call.leave();
  }, [call]);
  useEffect(() => {
    if (call.sessionId !== sessionId) onEnd();
  }, [sessionId]);
  const state = call.state.value;
  const problem = trouble ?? call.error.value;
  return (
    <section class="voice" aria-label={words.voice}>
      <p class={`voice-state ${state}`}>{words.voiceStates[state]}</p>
      <meter aria-label={words.level} min={0} max={1} value={call.level.value} />
      <p class="voice-words">
        <Plain text={call.words.value} />
      </p>
      {problem === undefined ? null : (
        <p class="wrong small" role="alert">
          <Plain text={problem} /> <Go to="/models">{words.voiceHelp}</Go>
        </p>
      )}
      <div class="voice-actions">
        <Switch
          label={words.handsFree}
          isOn={call.isHandsFree.value}
          onChange={(isOn) => call.setHandsFree(isOn)}
        />
        {call.isHandsFree.value ? null : <Hold call={call} />}
        {state === 'speaking' ? (
          <button type="button" onClick={() => call.interrupt()}>
            {words.interrupt}
          </button>
        ) : null}
        <button type="button" onClick={onEnd}>
          {words.endVoice}
        </button>
      </div>
    </section>
  );
}

/** Held by a finger or a key; whoever can only click begins with one and ends with the next. */
function Hold({ call }: { readonly call: Call }) {
  const isPressed = call.isPressed.value;
  const isHeld = useRef(false);
  const press = () => {
    isHeld.current = true;
    call.press();
  };
  const release = () => {
    isHeld.current = false;
    call.release();
  };
  const isTalkKey = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter';
  return (
    <button
      type="button"
      class="main hold"
      aria-pressed={isPressed}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        press();
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => {
        if (!isTalkKey(event)) return;
        event.preventDefault();
        if (!event.repeat) press();
      }}
      onKeyUp={(event) => {
        if (!isTalkKey(event)) return;
        event.preventDefault();
        release();
      }}
      onBlur={() => isHeld.current && release()}
      onClick={({ detail }) => {
        if (detail !== 0) return;
        if (isPressed) call.release();
        else call.press();
      }}
    >
      {isPressed ? words.holding : words.hold}
    </button>
  );
}
