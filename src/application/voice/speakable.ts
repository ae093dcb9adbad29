/** What is said in place of a block of code, which nobody wants to hear. */
const CODE: Readonly<Record<string, string>> = {
  de: 'Code.',
  es: 'Código.',
  fr: 'Code.',
  it: 'Codice.',
  nl: 'Code.',
  pt: 'Código.',
};
const PICTURES =
  /\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}]|[\u{1F3FB}-\u{1F3FF}]|\u200D|\uFE0E|\uFE0F|\u20E3/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** A sentence of a reply as it is said out loud: without the marks that are there for the eye. Empty where nothing is. */
export function speakable(text: string, language = 'en'): string {
  if (/^\s*(?:```|~~~)/.test(text)) return CODE[language.slice(0, 2).toLowerCase()] ?? 'Here is some code.';
  const said = text
    .split('\n')
    .map(lineOf)
    .filter((line) => line !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(said) ? said : '';
}

function lineOf(line: string): string {
  // Below the head of a table.
  if (line.includes('|') && line.includes('--') && /^[\s|:-]+$/.test(line)) return '';
  if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) return '';
  const bare = line
    .replace(/^\s{0,20}(?:#{1,6}\s+|>\s?|[-+•*]\s+(?:\[[ xX]\]\s+)?)/, '')
    .replace(/^\s{0,20}(\d{1,3})[.)]\s+/, '$1. ');
  const cells = /^\s*\|.*\|\s*$/.test(bare) ? cellsOf(bare) : bare;
  return withoutMarks(withoutAddresses(cells)).trim();
}

function cellsOf(row: string): string {
  const cells = row.split('|').map((cell) => cell.trim());
  return `${cells.filter((cell) => cell !== '').join(', ')}.`;
}

function withoutAddresses(text: string): string {
  return text
    .replace(/!\[([^\][]{0,300})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/\[([^\][]{1,300})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/<?\bhttps?:\/\/(?:www\.)?([^\s/<>()?#]{1,253})[^\s<>()]{0,2000}>?/gi, (address, host) => {
      const end = /[.,!?;:]$/.exec(address)?.[0] ?? '';
      return `${String(host).replace(/[.,!?;:]$/, '')}${end}`;
    });
}

function withoutMarks(text: string): string {
  return text
    .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(PICTURES, '')
    .replace(/`+/g, '')
    .replace(/\*{1,3}|~~/g, '')
    .replace(/(^|[\s("'])_{1,3}(?=\S)/g, '$1')
    .replace(/(\S)_{1,3}(?=$|[\s.,!?;:)"'])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|])/g, '$1')
    .replace(/ ?(?:→|⇒|➜|->|=>) ?/g, ', ')
    .replace(/([!?])[!?]+/g, '$1')
    .replace(/\.{3,}|…/g, '.');
}
