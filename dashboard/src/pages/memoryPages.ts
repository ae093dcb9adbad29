export { default as contradictions } from './contradictions/contradictions.tsx';
export { default as entities } from './entities/entities.tsx';
export { default as lastNight } from './lastNight/lastNight.tsx';
export { default as memory } from './memory/memory.tsx';
export { default as why } from './why/why.tsx';
