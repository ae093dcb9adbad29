/* Of d3 what the picture is placed with, and nothing else of it. */
export { forceLink, forceSimulation, forceX, forceY } from 'd3-force';
