import { Platform } from 'react-native';

/**
 * The machine of the developer. An emulator of Android has it at an address of its own. After `adb reverse tcp:4000 tcp:4000`
 * every Android has it at localhost too, as a simulator of iOS has.
 */
export const developerMachine = Platform.select({ android: '10.0.2.2', default: 'localhost' });

export const gatewayUrl = process.env.EXPO_PUBLIC_GATEWAY_URL ?? `http://${developerMachine}:4000/graphql`;
