/** Tools of memory that are named elsewhere too: by what answers where there is no model. */
export const toolNames = { forget: 'memory.forget', search: 'memory.search' } as const;
