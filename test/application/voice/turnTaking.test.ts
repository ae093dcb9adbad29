import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isEcho } from '../../../src/application/voice/interruption.ts';
import { HeardTurns, semanticVad, serverVad } from '../../support/voice/heardTurns.ts';

describe('whoever speaks behind the user', () => {
  test('does not keep their turn open', () => {
    const turns = new HeardTurns();
    assert.equal(turns.hear('N*30'), 'listen started');
    assert.equal(turns.hear('F*16'), '');
    assert.equal(turns.hear('F*4'), 'pause stopped utterance');
    const { fromMs, toMs } = turns.out.find((output) => output.type === 'utterance') ?? assert.fail();
    assert.deepEqual([fromMs, toMs <= 30 * 32 + 400], [0, true]);
  });

  test('is heard where the user goes on, and the weak end of a word is no silence', () => {
    const turns = new HeardTurns();
    turns.hear('N*30');
    turns.said();
    assert.equal(turns.hear('F*12 N*10'), '');
    turns.put({ type: 'options', options: { ...turns.state.options, detection: semanticVad } });
    assert.equal(turns.hear('F*22'), 'pause');
    assert.equal(turns.hear('N*5'), 'resumed');
    assert.equal(turns.hear('_*24'), 'pause stopped utterance');
  });

  test('does not interrupt the answer, for a while', () => {
    const turns = new HeardTurns();
    turns.hear('N*30 F*20');
    turns.put({ type: 'doing', doing: 'thinking' });
    turns.said();
    assert.equal(turns.hear('F*60'), 'listen drop');
    turns.put({ type: 'doing', doing: 'speaking' });
    assert.equal(turns.hear('F*60 _*30 F*60'), '');
    assert.equal(turns.hear('_*90 F*60'), 'listen lower drop raise');
    assert.equal(turns.hear('N*8'), 'listen lower interrupt started');
    // The first sounds of a word are weak.
    turns.hear('_*90');
    turns.put({ type: 'doing', doing: 'speaking' });
    assert.equal(turns.hear('F*3'), 'listen lower');
    assert.equal(turns.hear('N*6'), 'interrupt started');
    const later = new HeardTurns();
    later.hear('N*30 _*30');
    later.put({ type: 'doing', doing: 'speaking' });
    later.hear('_*940');
    later.said();
    assert.equal(later.hear('F*8'), 'listen lower interrupt started');
  });
});

describe('a turn by voice', () => {
  test('begins with two windows of speech, and ends with the silence that the client chose', () => {
    const turns = new HeardTurns();
    assert.equal(turns.hear('-*20 s'), '');
    assert.equal(turns.hear('s'), 'listen started');
    assert.equal(turns.hear('s*20 -*6'), '');
    assert.equal(turns.hear('-'), 'pause');
    assert.equal(turns.hear('-*8'), '');
    assert.equal(turns.hear('-'), 'stopped utterance');
  });

  test('has what was said shortly before it was noticed, and a little of the silence', () => {
    const turns = new HeardTurns();
    turns.hear('-*20 s*10 -*20');
    assert.deepEqual(turns.out, [
      { type: 'listen', fromMs: 340 },
      { type: 'started', atMs: 640 },
      { type: 'pause', atMs: 960 },
      { type: 'stopped', atMs: 960 },
      { type: 'utterance', fromMs: 340, toMs: 1_160, continues: false, over: '' },
    ]);
  });

  test('never takes what belongs to the turn before', () => {
    const turns = new HeardTurns({ detection: { ...serverVad, silenceMs: 64 } });
    turns.hear('s*10 -*3 s*10 -*20');
    const [first, second] = turns.out.filter((output) => output.type === 'utterance');
    assert.equal(second?.fromMs, first?.toMs);
  });

  test('goes on after a pause that was too short to be the end', () => {
    const turns = new HeardTurns();
    turns.hear('s*10 -*7');
    turns.said();
    assert.equal(turns.hear('s*10'), 'resumed');
    assert.equal(turns.hear('-*16'), 'pause stopped utterance');
  });

  test('a click in the silence does not begin it anew', () => {
    const turns = new HeardTurns();
    turns.hear('s*10 -*10 s -*4');
    turns.said();
    assert.equal(turns.hear('-'), 'stopped utterance');
  });

  test('a click is no turn, and a short noise with no words is dropped', () => {
    assert.equal(new HeardTurns().hear('- s -*40'), '');
    assert.equal(new HeardTurns().hear('- s*3 -*40'), 'listen started pause stopped drop');
    const cough = new HeardTurns();
    cough.hear('- s*8 -*7');
    cough.said();
    assert.equal(cough.put({ type: 'words', text: '', isFinal: true }), '');
    assert.equal(cough.hear('-*20'), 'stopped drop');
  });

  test('ends when no audio comes any more', () => {
    const turns = new HeardTurns();
    turns.hear('s*10');
    turns.said();
    assert.equal(turns.put({ type: 'tick', ms: 1_000 }), 'pause stopped utterance');
  });

  test('lasts a minute at most, and what goes on is the next', () => {
    const turns = new HeardTurns();
    const said = turns.hear('s*2000');
    assert.equal(said, 'listen started stopped utterance listen started');
    const [one] = turns.out.filter((output) => output.type === 'utterance');
    assert.ok(one && one.toMs - one.fromMs >= 60_000 && one.toMs - one.fromMs < 60_100);
  });

  test('is longer or shorter by what the words sound like, where the client wants that', () => {
    const silenceAfter = (text: string, more: { asked?: boolean; eagerness?: 'low' | 'high' } = {}) => {
      const turns = new HeardTurns({ detection: { ...semanticVad, eagerness: more.eagerness ?? 'auto' } });
      if (more.asked) turns.put({ type: 'doing', doing: 'listening', asked: true });
      turns.hear('s*30 -*8');
      turns.put({ type: 'words', text, isFinal: true });
      for (let windows = 9; windows < 200; windows++)
        if (turns.hear('-').includes('utterance')) return windows * 32;
      return undefined;
    };
    assert.equal(silenceAfter('turn on the light in the kitchen'), 320);
    assert.equal(silenceAfter('turn on the'), 1_600);
    assert.equal(silenceAfter(''), 768);
    assert.equal(silenceAfter('at home', { asked: true }), 320);
    assert.equal(silenceAfter('turn on the', { eagerness: 'high' }), 1_024);
    assert.equal(silenceAfter('turn on the light in the kitchen', { eagerness: 'low' }), 608);
  });

  test('is not cut short by words that may lack the last one', () => {
    const turns = new HeardTurns({ detection: semanticVad });
    turns.hear('s*30 -*8');
    turns.put({ type: 'words', text: 'turn on the light' });
    turns.said();
    assert.equal(turns.hear('-*5'), '');
    assert.equal(turns.put({ type: 'words', text: 'turn on the light and', isFinal: true }), '');
    assert.equal(turns.hear('-*20 s s'), 'resumed');
  });

  test('after a question a low voice is heard sooner', () => {
    const turns = new HeardTurns({ detection: { ...serverVad, threshold: 0.6 } });
    assert.equal(turns.hear('m*10'), '');
    turns.put({ type: 'doing', doing: 'listening', asked: true });
    assert.equal(turns.hear('m*10'), 'listen started');
  });

  test('that follows another before hark has spoken continues it', () => {
    const turns = new HeardTurns();
    turns.hear('s*10 -*16');
    turns.put({ type: 'doing', doing: 'thinking' });
    turns.said();
    assert.equal(turns.hear('s*8'), 'listen interrupt started');
    turns.put({ type: 'doing', doing: 'listening' });
    assert.equal(turns.hear('s*3 -*16'), 'pause stopped utterance+');
  });
});

describe('an interruption', () => {
  const speaking = (options: ConstructorParameters<typeof HeardTurns>[0] = {}) => {
    const turns = new HeardTurns(options);
    turns.hear('-*20');
    turns.put({ type: 'doing', doing: 'speaking' });
    return turns;
  };

  test('lowers speech with its first window, and ends it when it has lasted', () => {
    const turns = speaking();
    assert.equal(turns.hear('s'), 'listen lower');
    assert.equal(turns.hear('s*6'), '');
    assert.equal(turns.hear('s'), 'interrupt started');
    turns.put({ type: 'doing', doing: 'listening' });
    assert.equal(turns.hear('-*16'), 'pause stopped utterance');
  });

  test('that was a cough changes nothing but for a moment', () => {
    const turns = speaking();
    assert.equal(turns.hear('s*4 -*6'), 'listen lower');
    assert.equal(turns.hear('-'), 'pause raise');
    assert.equal(turns.hear('-*30'), 'drop');
  });

  test('is confirmed by words before it has lasted, and also after a short word', () => {
    const early = speaking();
    early.hear('s*4');
    early.said();
    assert.equal(early.put({ type: 'words', text: 'wait' }), 'interrupt started');
    const late = speaking();
    late.hear('s*5 -*8');
    late.said();
    assert.equal(late.put({ type: 'words', text: 'stop', isFinal: true }), 'interrupt started');
    assert.equal(late.hear('-*10'), 'stopped utterance');
  });

  test.each(['mhm', 'yeah', 'Ja, genau.', 'ah okay', 'oui', 'vale'])('%s is none', (text) => {
    const turns = speaking();
    turns.hear('s*4');
    turns.put({ type: 'words', text });
    turns.said();
    assert.equal(turns.hear('s*10 -*7'), 'pause raise');
    assert.equal(turns.put({ type: 'words', text, isFinal: true }), 'drop');
  });

  test('by its own words is none, and from then on speech alone is not enough', () => {
    const turns = speaking();
    turns.put({ type: 'saying', text: 'The train to Lisbon leaves at nine in the morning.' });
    turns.hear('s*4');
    turns.put({ type: 'words', text: 'train to lisbon leaves' });
    turns.said();
    assert.equal(turns.hear('s*20 -*7'), 'pause raise');
    assert.equal(
      turns.put({ type: 'words', text: 'the train to lisbon leaves at nine', isFinal: true }),
      'drop',
    );
    assert.equal(turns.hear('s*20'), 'listen');
    assert.equal(turns.put({ type: 'words', text: 'no not lisbon' }), 'interrupt started');
  });

  test('says what it was spoken over, so that an echo is found in the end', () => {
    const turns = speaking();
    turns.put({ type: 'saying', text: 'The train leaves at nine.' });
    turns.hear('s*10');
    turns.put({ type: 'doing', doing: 'listening' });
    turns.hear('-*16');
    const { over } = turns.out.find((output) => output.type === 'utterance') ?? {};
    assert.equal(over, ' The train leaves at nine.');
    assert.ok(isEcho('train leaves at nine', over) && !isEcho('at nine is too late', over));
    turns.hear('s*10 -*16');
    assert.equal(turns.out.findLast((output) => output.type === 'utterance')?.over, '');
  });

  test('ends speech at once where the client wants that', () => {
    const turns = speaking({ interruptionMs: 0 });
    assert.equal(turns.hear('s'), 'listen interrupt started');
    const own = speaking({ detection: { ...serverVad, interruptionMs: 1_000 } });
    assert.equal(own.hear('s*20'), 'listen lower');
  });

  test('needs more than a doubtful sound, which lowers speech for half a second at most', () => {
    const turns = speaking();
    assert.equal(turns.hear('m*15'), 'listen lower');
    assert.equal(turns.hear('m'), 'raise');
    assert.equal(turns.hear('m*40'), '');
    assert.equal(turns.hear('s'), '');
    assert.equal(turns.hear('s'), 'lower');
    assert.equal(turns.hear('s*6'), 'interrupt started');
  });

  test('may begin with a sound too weak to begin a turn, which lowers speech and never ends it', () => {
    const turns = speaking();
    assert.equal(turns.hear('w'), 'listen lower');
    assert.equal(turns.hear('s*8'), 'interrupt started');
    assert.equal(speaking().hear('w -*7'), 'listen lower pause drop raise');
    assert.equal(speaking({ detection: { ...serverVad, interruptResponse: false } }).hear('w*40'), '');
    const atOnce = speaking({ interruptionMs: 0 });
    assert.equal(atOnce.hear('w'), 'listen lower');
    assert.equal(atOnce.hear('m'), 'interrupt started');
    assert.equal(new HeardTurns().hear('w*40'), '');
  });

  test('is none where the client does not want any: it is heard, and answered later', () => {
    const turns = speaking({ detection: { ...serverVad, interruptResponse: false } });
    assert.equal(turns.hear('s*10'), 'listen started');
    assert.equal(turns.hear('-*16'), 'pause stopped utterance');
  });

  test('a phantom while hark thinks loses no answer, though interruptions end speech at once', () => {
    const turns = new HeardTurns({ interruptionMs: 0 });
    turns.hear('s*10 -*16');
    turns.put({ type: 'doing', doing: 'thinking' });
    turns.said();
    assert.equal(turns.hear('s*4 -*40'), 'listen pause drop');
  });

  test('that began while hark was thinking lowers it when it speaks', () => {
    const turns = new HeardTurns();
    turns.put({ type: 'doing', doing: 'thinking' });
    assert.equal(turns.hear('s*3'), 'listen');
    assert.equal(turns.put({ type: 'doing', doing: 'speaking' }), 'lower');
    assert.equal(turns.hear('-*7'), 'pause raise');
  });

  test('at the very end of a reply is the next turn', () => {
    const turns = speaking();
    turns.hear('s*4');
    turns.said();
    assert.equal(turns.put({ type: 'doing', doing: 'listening' }), 'raise started');
    assert.equal(turns.hear('s*10 -*16'), 'pause stopped utterance');
  });
});

describe('beside a loudspeaker', () => {
  test('hark does not hear itself, nor the room right after', () => {
    const turns = new HeardTurns({ halfDuplex: true });
    turns.put({ type: 'doing', doing: 'speaking' });
    assert.equal(turns.hear('s*50'), '');
    turns.put({ type: 'doing', doing: 'listening' });
    assert.equal(turns.hear('s*9 -*3'), '');
    assert.equal(turns.hear('s*10'), 'listen started');
  });

  test('what had begun before it speaks is let go', () => {
    const turns = new HeardTurns({ halfDuplex: true });
    turns.hear('s*10');
    turns.said();
    assert.equal(turns.put({ type: 'doing', doing: 'speaking' }), 'stopped drop');
  });
});

describe('push to talk', () => {
  test('is one utterance from the first sample to the commit', () => {
    const turns = new HeardTurns({ detection: null });
    assert.equal(turns.hear('-*3 s*10 -*80'), 'listen');
    assert.equal(turns.commit(), 'utterance');
    assert.deepEqual(turns.out.at(-1), {
      type: 'utterance',
      fromMs: 0,
      toMs: 93 * 32,
      continues: false,
      over: '',
    });
    assert.equal(turns.commit(), '');
  });

  test('keeps the last five minutes', () => {
    const turns = new HeardTurns({ detection: null });
    turns.hear('-*20000');
    turns.commit();
    assert.deepEqual(turns.out.at(-1), {
      type: 'utterance',
      fromMs: 340_000,
      toMs: 640_000,
      continues: false,
      over: '',
    });
  });

  test('what is cleared belongs to no utterance', () => {
    const turns = new HeardTurns({ detection: null });
    turns.hear('s*10');
    turns.said();
    assert.equal(turns.clear(), 'drop');
    turns.hear('s*5');
    turns.commit();
    assert.deepEqual(turns.out.at(-1), {
      type: 'utterance',
      fromMs: 320,
      toMs: 480,
      continues: false,
      over: '',
    });
  });

  test('a commit works while turns are detected too', () => {
    const quiet = new HeardTurns();
    quiet.hear('-*10');
    assert.equal(quiet.commit(), 'listen utterance');
    const open = new HeardTurns();
    open.hear('s*10');
    open.said();
    assert.equal(open.commit(), 'stopped utterance');
  });

  test('may take the place of detection in the middle of speech', () => {
    const turns = new HeardTurns();
    turns.hear('s*10');
    turns.said();
    assert.equal(
      turns.put({ type: 'options', options: { detection: null, interruptionMs: 0, halfDuplex: false } }),
      'stopped drop',
    );
    assert.equal(turns.hear('s'), 'listen');
  });
});
