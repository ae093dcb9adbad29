/* Stands in for semver at a start (imports.js). Whoever gives Fastify a plugin that names its version takes it away. */
module.exports = {};
