/** A part of what a tool gave, in the shapes of MCP. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }
  | {
      readonly type: 'resource';
      readonly resource:
        | { readonly uri: string; readonly mimeType?: string; readonly text: string }
        | { readonly uri: string; readonly mimeType?: string; readonly blob: string };
    };

/** What a tool gave that is more than a text: models read what of it is text, and what the rest is. */
export class ToolParts {
  readonly parts: readonly ToolPart[];
  /** The same as data, as the tool's output schema says. */
  readonly structured: unknown;

  constructor(parts: readonly ToolPart[], structured?: unknown) {
    this.parts = parts;
    this.structured = structured;
  }

  get text(): string {
    if (this.parts.length === 0) return this.structured === undefined ? '' : JSON.stringify(this.structured);
    return this.parts.map(textOf).join('\n');
  }
}

function textOf(part: ToolPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.mimeType}]`;
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource: ${part.resource.uri}]`;
  }
}
