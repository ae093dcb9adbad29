/**
 * Of `node:http`, what an import of it would cost: that reads all that it exports, `WebSocket` among it, and with
 * that Node loads the whole of undici, some 20 ms and 8 MB of every start.
 */
export const { STATUS_CODES, ServerResponse, get } = process.getBuiltinModule('node:http');
