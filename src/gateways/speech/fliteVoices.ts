/** `slt` first: the clearest. `awb_time`, which it has too, only tells the time. */
export const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal16', 'kal'] as const;
