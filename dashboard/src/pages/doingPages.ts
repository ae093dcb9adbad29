export { default as notifications } from './notifications/notifications.tsx';
export { default as schedules } from './schedules/schedules.tsx';
export { default as toolServers } from './toolServers/toolServers.tsx';
export { default as webhooks } from './webhooks/webhooks.tsx';
export { default as workflows } from './workflows/workflows.tsx';
