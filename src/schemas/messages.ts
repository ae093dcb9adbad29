export type Json = Readonly<Record<string, unknown>>;

/** Without a text it is only asked whether the schema can be read. */
export interface SchemaJob {
  readonly schema: Json;
  readonly text?: string;
}

/** Nothing where all is well; else what is wrong, in words for whoever wrote it. */
export interface SchemaAnswer {
  readonly unreadable?: string;
  readonly wrong?: string;
}
