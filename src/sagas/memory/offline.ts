import type { Understand } from '../../application/memory/ports.ts';
import type { Finding } from '../../commands/memory/findings.ts';
import type { Language } from '../../language/language.ts';

/** Memory without a model: what a reader of plain words makes of a conversation. */
export function understandOffline(language: Pick<Language, 'readConversation'>): Understand {
  return async (words, { userId: owner, signal }) => {
    const read = await language.readConversation({ turns: words }, { owner, signal });
    const { summary, topic, keywords, importance, reasons, trivial, answer } = read;
    const findings = read.statements.map(({ slot, turn, span: _, replaces, ...told }): Finding => {
      const said = words[turn];
      const turnIds = said ? [said.turnId] : [];
      const found = { ...told, about: slot, by: 'offline', turnIds } as const;
      return replaces === undefined ? found : { ...found, replaces };
    });
    return { summary, topic, keywords, importance, reasons, trivial, findings, answer, by: 'offline' };
  };
}
