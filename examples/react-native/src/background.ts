import * as BackgroundTask from 'expo-background-task';
import * as TaskManager from 'expo-task-manager';
import { openSavedSession } from './open-session.ts';

const taskName = 'send-outbox';

/** Sends what waits, once. True if nothing waits any more. */
export async function sendOutbox(): Promise<boolean> {
  const session = await openSavedSession();
  if (!session) return true;
  const { queue, sender } = session.outbox;
  const stop = sender.start();
  try {
    await sender.send();
  } finally {
    stop();
  }
  return queue.current().every(({ state }) => state !== 'pending');
}

// Import this file at the top of the app. To run the task, the system starts the app without its screens.
TaskManager.defineTask(taskName, async () => {
  const { Success, Failed } = BackgroundTask.BackgroundTaskResult;
  return (await sendOutbox().catch(() => false)) ? Success : Failed;
});

/** The system decides when, at most every quarter of an hour, and only with a network. */
export const sendInBackground = () => BackgroundTask.registerTaskAsync(taskName, { minimumInterval: 15 });
