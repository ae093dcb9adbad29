import { describe, it } from 'vitest';
import { keepToolServers, recordToolServer } from '../../../src/commands/tools/toolServers.ts';
import {
  toolServerChanged,
  toolServerConnected,
  toolServerDisconnected,
  toolServerRemoved,
} from '../../../src/events/tools.ts';
import { given } from '../../support/given.ts';

const offer = { name: 'far', prefix: 'f', version: '1', tools: 1, names: ['f.echo'], refused: 0 };
const gone = { name: 'far', prefix: 'f', error: 'It cannot be reached' };
const connected = { type: toolServerConnected.type, data: offer };
const disconnected = { type: toolServerDisconnected.type, data: gone };

describe('a tool server', () => {
  it('is told of when it is found to be otherwise, and not each time that somebody looks', () => {
    given(recordToolServer).when(offer).gives(connected);
    given(recordToolServer, connected).when(offer).givesNothing();
    given(recordToolServer, connected).when(gone).gives(disconnected);
    given(recordToolServer, connected, disconnected).when(gone).givesNothing();
    given(recordToolServer, connected, disconnected).when(offer).gives(connected);
    const other = { ...gone, error: 'It did not stop sending' };
    given(recordToolServer, disconnected)
      .when(other)
      .gives({ ...disconnected, data: other });
  });

  it('that is connected changes what it offers', () => {
    const more = { ...offer, tools: 2, names: ['f.echo', 'f.more'] };
    const changed = { type: toolServerChanged.type, data: more };
    given(recordToolServer, connected).when(more).gives(changed);
    given(recordToolServer, connected, changed).when(more).givesNothing();
    given(recordToolServer, connected)
      .when({ ...offer, name: 'near' })
      .gives({
        ...connected,
        data: { ...offer, name: 'near' },
      });
  });

  it('goes when it is not among those that there are', () => {
    const removed = { type: toolServerRemoved.type, data: { name: 'far' } };
    given(keepToolServers, connected).when({ names: [] }).gives(removed);
    given(keepToolServers, connected)
      .when({ names: ['far'] })
      .givesNothing();
    given(keepToolServers, connected, removed).when({ names: [] }).givesNothing();
    given(recordToolServer, connected, removed).when(offer).gives(connected);
  });
});
