/** An address at which connections are refused. */
export const NOBODY = 'http://127.0.0.1:9';
