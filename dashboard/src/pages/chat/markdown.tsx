import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Plain, visible } from '../../parts/plain.tsx';

/** What is longer is shown as it was written. */
const MOST = 100_000;
const SAFE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i;

/**
 * What a model wrote, as it comes. No text becomes markup: only what the lexer found in it, as elements. Blocks that are
 * behind the last one do not change any more, and are neither read nor drawn again.
 */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useRef(new Blocks());
  if (text.length > MOST) return <Plain text={text} />;
  return <div class="markdown">{blocks.current.of(text)}</div>;
}

class Blocks {
  #settled: VNode[] = [];
  #end = 0;
  #last = '';
  #shown: readonly VNode[] = [];

  of(text: string): readonly VNode[] {
    if (text === this.#last) return this.#shown;
    if (text.length < this.#last.length) {
      this.#settled = [];
      this.#end = 0;
    }
    this.#last = text;
    const tokens = new Lexer({ gfm: true }).lex(text.slice(this.#end));
    const lastBlock = tokens.findLastIndex(({ type }) => type !== 'space');
    for (const token of tokens.slice(0, Math.max(0, lastBlock))) {
      this.#settled.push(...block(token, this.#settled.length));
      this.#end += token.raw.length;
    }
    const rest = tokens.slice(Math.max(0, lastBlock)).flatMap((token) => block(token, this.#settled.length));
    this.#shown = [...this.#settled, ...rest];
    return this.#shown;
  }
}

function block(token: Token, index: number): VNode[] {
  const shown = drawn(token);
  return shown === null ? [] : [<Kept key={index}>{shown}</Kept>];
}

function Kept({ children }: { readonly children: ComponentChildren }) {
  return <>{children}</>;
}

const headings = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function drawn(token: Token): VNode | null {
  if (!isKnown(token)) return null;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const Heading = headings[token.depth - 1] ?? 'h6';
      return <Heading dir="auto">{inline(token.tokens)}</Heading>;
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab, or no key scrolls it
        <pre tabIndex={0}>
          <code>{visible(token.text)}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{token.tokens.map(drawn)}</blockquote>;
    case 'list':
      return list(token);
    case 'hr':
      return <hr />;
    case 'table':
      return table(token);
    case 'paragraph':
    case 'text':
      return <p dir="auto">{token.tokens ? inline(token.tokens) : plain(token.text)}</p>;
    default:
      return <p dir="auto">{visible(token.raw)}</p>;
  }
}

function list({ ordered, start, items, loose }: Tokens.List): VNode {
  const rows = items.map(({ task, checked, tokens }, index) => (
    <li key={index}>
      {task ? <span aria-hidden="true">{checked ? '☑ ' : '☐ '}</span> : null}
      {tokens.map((token) => {
        if (token.type === 'checkbox') return null;
        return token.type === 'text' && !loose && token.tokens ? inline(token.tokens) : drawn(token);
      })}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab, or no key scrolls it
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              <th key={index} scope="col">
                {inline(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens }, index) => (
                <td key={index}>{inline(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] | undefined): ComponentChildren {
  return tokens?.map((token) => {
    if (!isKnown(token)) return null;
    switch (token.type) {
      case 'strong':
        return <strong>{inline(token.tokens)}</strong>;
      case 'em':
        return <em>{inline(token.tokens)}</em>;
      case 'del':
        return <del>{inline(token.tokens)}</del>;
      case 'codespan':
        return <code>{visible(token.text)}</code>;
      case 'br':
        return <br />;
      case 'link':
        return link(token);
      case 'image':
        return image(token);
      case 'text':
        return token.tokens ? inline(token.tokens) : plain(token.text);
      case 'escape':
        return visible(token.text);
      default:
        return visible(token.raw);
    }
  });
}

/** Where it leads stands beside it: what a model wrote may say one thing and lead elsewhere. */
function link({ href, text, tokens, raw }: Tokens.Link): ComponentChildren {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return visible(raw);
  const isSame = text === href || `mailto:${text}` === href;
  return (
    <>
      <a href={href} rel="noreferrer" target="_blank">
        {isSame ? visible(text) : inline(tokens)}
      </a>
      {isSame ? null : <span class="address"> ({visible(href)})</span>}
    </>
  );
}

/** No picture is fetched for a model. */
function image({ href, text }: Tokens.Image): ComponentChildren {
  if (SAFE_IMAGE.test(href)) return <img src={href} alt={visible(text)} />;
  return (
    <span class="address">
      {visible(text)} ({visible(href)})
    </span>
  );
}

/** The lexer leaves these as they stand in the text. */
const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': '\u00a0' },
};

function plain(text: string): string {
  return visible(text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity));
}

/** No extension of the lexer is used, so that it has no others. */
function isKnown(token: Token): token is MarkedToken {
  return 'raw' in token;
}
