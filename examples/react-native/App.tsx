import './src/crypto.ts';
import './src/background.ts';
import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Button, StyleSheet, TextInput, View } from 'react-native';
import { sendInBackground } from './src/background.ts';
import { FarmersScreen } from './src/farmers-screen.tsx';
import { NewFarmerScreen } from './src/new-farmer-screen.tsx';
import { openSavedSession, openSession } from './src/open-session.ts';
import { type Session, SessionContext } from './src/session.tsx';

export default function App() {
  const [session, setSession] = useState<Session>();
  const [key, setKey] = useState('');
  useEffect(() => void openSavedSession().then(setSession), []);
  useEffect(() => {
    if (!session) return;
    void sendInBackground();
    return session.outbox.sender.start();
  }, [session]);

  if (!session) {
    return (
      <View style={styles.app}>
        <TextInput accessibilityLabel="API key" value={key} onChangeText={setKey} autoCapitalize="none" />
        <Button title="Sign in" onPress={() => void openSession(key).then(setSession)} />
      </View>
    );
  }
  return (
    <ApolloProvider client={session.client}>
      <SessionContext value={session}>
        <View style={styles.app}>
          <NewFarmerScreen />
          <FarmersScreen />
        </View>
      </SessionContext>
    </ApolloProvider>
  );
}

/** Below the camera of the phone. */
const styles = StyleSheet.create({ app: { flex: 1, paddingTop: 48 } });
