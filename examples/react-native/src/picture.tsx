import { Image, type ImageStyle, type StyleProp } from 'react-native';
import { useSession } from './session.tsx';

/** A picture of the service, by way of the gateway's `/media/`, which asks who wants it. */
export function Picture({ url, label, style }: { url: string; label: string; style: StyleProp<ImageStyle> }) {
  const { authorization } = useSession();
  return (
    <Image accessibilityLabel={label} style={style} source={{ uri: url, headers: { Authorization: authorization } }} />
  );
}
