/**
 * A text in which what its writer only shows is blanked out: code, quotations, lines of a message that is answered,
 * mail with its headers, addresses of the web. The length stays, so that places in it are places in the text.
 */
export function ownWords(text: string): string {
  return shown.reduce((left, pattern) => left.replace(pattern, blank), text.replace(MAIL, blank));
}

/** From the headers or the salutation of a letter on, all is the letter's. */
const MAIL =
  /(?:^(?:from|subject|to|sent|date|von|betreff|cc):[^\n]*\n(?:[^\n]*\n)*?(?:from|subject|to|sent|date|von|betreff|cc):[\s\S]*$|^dear (?:sir|madam|mr|mrs|ms|dr|all|team|hiring|\p{Lu}\p{L}+)\b[^\n]*\n[\s\S]*$|^-{3,} ?(?:original|forwarded)[\s\S]*$)/gimu;

const shown: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]*`/g,
  /^[ \t]*>[^\n]*$/gm,
  /^\s*(?:const|let|var|import|def|class|function|return|public|print|console|SELECT|#include)\b[^\n]*[;({=][^\n]*$/gm,
  /"[^"\n]{1,400}"/g,
  /[“„«][^”“»\n]{1,400}[”“»]/g,
  /‘[^’\n]*(?:’(?=\p{L})[^’\n]*)*’/gu,
  // A single quotation mark opens after a space and closes before one; within words it is an apostrophe.
  /(?<=^|[\s(:,])'(?=\S)[^\n]{1,400}?(?<=\S)'(?=$|[\s).,;:!?])/gm,
  /\bhttps?:\/\/\S+/g,
];

function blank(found: string): string {
  return found.replace(/[^\n]/g, ' ');
}
