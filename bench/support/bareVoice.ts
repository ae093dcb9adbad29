import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

/*
 * The limit: `ws` alone. Frames go back as they came; events are parsed, and answered with their audio as it is, in an event
 * as the Realtime API has it.
 */

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
let ids = 0;
sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      socket.send(data, { binary: true });
      return;
    }
    const { audio } = JSON.parse(data.toString());
    const event = {
      type: 'response.output_audio.delta',
      event_id: `event_${ids++}`,
      response_id: 'resp_1',
      item_id: 'item_1',
      output_index: 0,
      content_index: 0,
      delta: audio,
    };
    socket.send(JSON.stringify(event));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const health = typeof address === 'object' ? address?.port : undefined;
  console.log(JSON.stringify({ ports: { health } }));
});
process.on('SIGTERM', () => process.exit());
