import { place, ROW } from './place.ts';

/** Where hark does something by itself, and where others are told. */
export const doing = {
  notifications: [
    place('what you were told', 'pages/notifications/told.tsx', [], 'GET /api/notifications'),
    place(
      'tell yourself something',
      'pages/notifications/write.tsx',
      ['Tell yourself something'],
      'POST /api/notifications',
    ),
    place(
      'mark it as read',
      'pages/notifications/told.tsx',
      ['What to do with it', 'Mark as read'],
      'PUT /api/notifications/:id',
    ),
    place(
      'erase it',
      'pages/notifications/told.tsx',
      ['What to do with it', 'Erase'],
      'DELETE /api/notifications/:id',
    ),
    place('channels', 'pages/notifications/channels.tsx', ['Channels'], 'GET /api/notifications/channels'),
    place(
      'add one',
      'pages/notifications/channelForm.tsx',
      ['Channels', 'Add a channel'],
      'POST /api/notifications/channels',
    ),
    place(
      'test one',
      'pages/notifications/channels.tsx',
      ['Channels', 'Test'],
      'POST /api/notifications/channels/:id/test',
    ),
    place(
      'change one',
      'pages/notifications/channelForm.tsx',
      ['Channels', 'Change'],
      'PUT /api/notifications/channels/:id',
    ),
    place(
      'remove one',
      'pages/notifications/channels.tsx',
      ['Channels', 'Remove'],
      'DELETE /api/notifications/channels/:id',
    ),
  ],
  schedules: [
    place('what is due', 'pages/schedules/schedules.tsx', [], 'GET /api/scheduler/tasks'),
    place(
      'schedule something',
      'pages/schedules/builder.tsx',
      ['Schedule something'],
      'POST /api/scheduler/tasks',
    ),
    place('', 'pages/schedules/preview.tsx', ['Schedule something'], 'POST /api/scheduler/preview'),
    place(
      'one task and its history',
      'pages/schedules/task.tsx',
      [ROW],
      'GET /api/scheduler/tasks/:taskId',
      'GET /api/scheduler/tasks/:taskId/runs',
    ),
    place(
      'run it now',
      'pages/schedules/taskActions.tsx',
      ['Run now'],
      'POST /api/scheduler/tasks/:taskId/run',
    ),
    place(
      'pause it',
      'pages/schedules/taskActions.tsx',
      ['What to do with it', 'Pause'],
      'PUT /api/scheduler/tasks/:taskId',
    ),
    place(
      'cancel it',
      'pages/schedules/taskActions.tsx',
      ['What to do with it', 'Cancel it'],
      'DELETE /api/scheduler/tasks/:taskId',
    ),
  ],
  workflows: [
    place('what workflows there are', 'pages/workflows/workflows.tsx', [], 'GET /api/workflows'),
    place('run one', 'pages/workflows/run.tsx', [ROW, 'Run'], 'POST /api/workflows/:id/execute'),
    place(
      'watch it',
      'pages/workflows/workflow.tsx',
      [ROW],
      'GET /api/workflows/executions',
      'GET /api/workflows/executions/:id',
    ),
    place(
      'cancel it',
      'pages/workflows/execution.tsx',
      [ROW, 'Cancel it'],
      'POST /api/workflows/executions/:id/cancel',
    ),
  ],
  webhooks: [
    place('who is told of events', 'pages/webhooks/webhooks.tsx', [], 'GET /api/webhooks'),
    place('add an address', 'pages/webhooks/webhookForm.tsx', ['Add a webhook'], 'POST /api/webhooks'),
    place('change, pause', 'pages/webhooks/webhooks.tsx', ['Pause'], 'PUT /api/webhooks/:id'),
    place(
      'test',
      'pages/webhooks/webhooks.tsx',
      ['What to do with it', 'Test'],
      'POST /api/webhooks/:id/test',
    ),
    place(
      'delete it',
      'pages/webhooks/webhooks.tsx',
      ['What to do with it', 'Delete'],
      'DELETE /api/webhooks/:id',
    ),
    place('deliveries', 'pages/webhooks/deliveries.tsx', ['Deliveries'], 'GET /api/webhooks/:id/deliveries'),
    place(
      'send one again',
      'pages/webhooks/deliveries.tsx',
      ['Deliveries', 'Send again'],
      'POST /api/webhooks/:id/deliveries/:position/again',
    ),
  ],
  toolServers: [
    place(
      'which are connected, and their tools',
      'pages/toolServers/toolServers.tsx',
      [],
      'GET /api/tools/servers',
    ),
    place('probe one', 'pages/toolServers/toolServers.tsx', ['Probe'], 'POST /api/tools/servers/:name/probe'),
  ],
};
