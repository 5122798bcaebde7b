import { useState } from 'react';
import { Button, Text, TextInput, View } from 'react-native';
import { useOutbox } from './outbox/open-outbox.ts';
import { add } from './outbox/queue-changes.ts';
import { newRef } from './outbox/queued-write.ts';

/** Registers a farmer, with or without a network. */
export function NewFarmerScreen() {
  const { queue, sender, writes, state } = useOutbox();
  const [name, setName] = useState('');

  async function save() {
    const write = { createFarmer: { first_name: name, province: 'Ashanti', country: 'Ghana' } };
    await queue.change((all) => add(all, [{ ref: newRef(), title: `Farmer ${name}`, write }], Date.now()));
    setName('');
    void sender.send();
  }

  return (
    <View>
      <TextInput accessibilityLabel="First name" value={name} onChangeText={setName} maxLength={100} />
      <Button title="Save" disabled={name === ''} onPress={() => void save()} />
      {writes.map(({ key, title, state: become, error }) => (
        <Text key={key}>
          {title}: {become} {error?.message}
        </Text>
      ))}
      {state.sending && <Text>Sending…</Text>}
    </View>
  );
}
