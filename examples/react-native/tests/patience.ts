import { configure } from '@testing-library/react-native';

/** A busy machine may be slow. */
configure({ asyncUtilTimeout: 30_000 });
