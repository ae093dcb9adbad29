/*
 * Stands at a start in place of what others load and do not use here (imports.js). Asked whether a pattern of its own is
 * safe, it says yes; whatever else is asked of it fails.
 */
module.exports = () => true;
