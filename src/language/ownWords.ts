import { regExp } from '../regExp.ts';

/**
 * A text in which what its writer only shows is blanked out: code, quotations, lines of a message that is answered,
 * mail with its headers, addresses of the web. The length stays, so that places in it are places in the text.
 */
export function ownWords(text: string): string {
  return shown.reduce((left, pattern) => left.replace(pattern, blank), text.replace(MAIL, blank));
}

/** What is blanked out of a text in its own words. */
export function shownWords(text: string, own: string): string {
  return Array.from(pieces(text, own)).join('');
}

function* pieces(text: string, own: string): Generator<string> {
  let from = 0;
  let isShown = false;
  for (let at = 0; at < text.length; at++) {
    // What is the same in both, as a space in a quotation, ends nothing that is shown.
    const differs = own.charCodeAt(at) !== text.charCodeAt(at);
    if (differs === isShown || (isShown && /\s/.test(text.charAt(at)))) continue;
    if (isShown) yield `${text.slice(from, at)}\n`;
    from = at;
    isShown = differs;
  }
  if (isShown) yield text.slice(from);
}

/** From the headers or the salutation of a letter on, all is the letter's. */
const MAIL = regExp('gimu')`
  (?:^(?:from|subject|to|sent|date|von|betreff|cc):[^\n]*\n(?:[^\n]*\n)*?
  (?:from|subject|to|sent|date|von|betreff|cc):[\s\S]*$|^dear (?:sir|madam|mr|mrs|ms|dr|all|team|hiring
  |\p{Lu}\p{L}+)\b[^\n]*\n[\s\S]*$|^-{3,} ?(?:original|forwarded)[\s\S]*$|^
  (?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)):[\s\S]*$|^
  (?:on|am|le|el) [^\n]{1,200}(?:wrote|schrieb[^\n:]{0,100}|a écrit|escribió) ?:[ \t]*$[\s\S]*)`;

const shown: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /~~~[\s\S]*?(?:~~~|$)/g,
  // Marked as somebody's text, as prompts are put together.
  regExp('gi')`
    <(document|documents|e?mail|quote|blockquote|text|article|message|transcript|page|source|data|content
    |context|letter|excerpt|attachment|file|result|output)\b[^>\n]{0,200}>[\s\S]*?(?:<\/\1\s{0,10}>|$)`,
  /`[^`\n]*`/g,
  /^[ \t]*>[^\n]*$/gm,
  /^[^\S\n]*(?:const|let|var|import|def|class|function|return|public|print|console|SELECT|#include)\b[^\n]*[;({=][^\n]*$/gm,
  // Over several lines, where it begins one and ends one.
  /(?<=^|: )"[^"]{1,10000}"(?=[ \t]*$)/gm,
  /(?<=^|: )[“„«][^”“„«»]{1,10000}[”“»](?=[ \t]*$)/gm,
  /"[^"\n]{1,400}"/g,
  /(?<![“„«])[“„«][^”“»\n]{1,400}[”“»]/g,
  /‘[^‘’\n]*(?:’(?=\p{L})[^‘’\n]*)*’/gu,
  // A single quotation mark opens after a space and closes before one; within words it is an apostrophe.
  /(?<=^|[\s(:,])'(?=\S)[^\n]{1,400}?(?<=\S)'(?=$|[\s).,;:!?])/gm,
  /\bhttps?:\/\/\S+/g,
];

function blank(found: string): string {
  return found.replace(/[^\n]/g, ' ');
}
