const HEADER = 12;
const SPEECH = 1;
export const BEGINS = 1;
export const ENDS = 2;

/** One frame of the microphone: docs/voice.md has the header. */
export function microphoneFrame(
  samples: ArrayBuffer,
  { flags, sequence, offset }: { readonly flags: number; readonly sequence: number; readonly offset: number },
): ArrayBuffer {
  const frame = new DataView(new ArrayBuffer(HEADER + samples.byteLength));
  frame.setUint8(0, 1);
  frame.setUint16(2, flags);
  frame.setUint32(4, sequence);
  frame.setUint32(8, offset);
  // Both the frame and every machine with a browser have the lower byte first.
  new Uint8Array(frame.buffer, HEADER).set(new Uint8Array(samples));
  return frame.buffer;
}

/** The samples of a frame of speech; nothing in one of another kind. */
export function speechIn(frame: ArrayBuffer): Int16Array {
  if (new DataView(frame).getUint8(1) !== SPEECH) return new Int16Array();
  return new Int16Array(frame.slice(HEADER));
}
