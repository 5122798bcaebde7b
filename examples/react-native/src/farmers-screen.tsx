import { useQuery } from '@apollo/client/react';
import { FlatList, StyleSheet, Text, View } from 'react-native';
import { FarmersDocument } from './documents.ts';
import { Picture } from './picture.tsx';

/** Loads more rows as the user scrolls. */
export function FarmersScreen() {
  const { data, error, fetchMore, refetch, loading } = useQuery(FarmersDocument, { notifyOnNetworkStatusChange: true });
  const { edges = [], pageInfo, count } = data?.farmers ?? {};

  return (
    <FlatList
      accessibilityLabel="Farmers"
      data={edges.map(({ node }) => node)}
      keyExtractor={({ id }) => id}
      renderItem={({ item: { name, image } }) => (
        <View style={styles.row}>
          {image && <Picture url={image} label={`Picture of ${name}`} style={styles.picture} />}
          <Text>{name}</Text>
        </View>
      )}
      onEndReached={() => {
        if (pageInfo?.hasNextPage && !loading) void fetchMore({ variables: { after: pageInfo.endCursor } });
      }}
      onRefresh={() => void refetch()}
      refreshing={loading}
      ListHeaderComponent={<Text>{error ? error.message : count !== undefined && `${count} farmers`}</Text>}
    />
  );
}

const styles = StyleSheet.create({
  row: { flexDirection: 'row', alignItems: 'center', gap: 12, padding: 12 },
  picture: { width: 40, height: 40, borderRadius: 20 },
});
