/** A country with growers: its places, its names, its telephone numbers. */
export interface Region {
  country: string;
  province: string;
  districts: { name: string; towns: string[]; latitude: number; longitude: number }[];
  dialCode: string;
  mobilePrefixes: string[];
  subscriberDigits: number;
  crops: string[];
  women: string[];
  men: string[];
  families: string[];
}

export const regions: Region[] = [
  {
    country: 'Ghana',
    province: 'Ashanti',
    districts: [
      { name: 'Ejisu', towns: ['Ejisu', 'Besease', 'Kwamo'], latitude: 6.72, longitude: -1.47 },
      { name: 'Offinso North', towns: ['Akomadan', 'Afrancho', 'Nkenkaasu'], latitude: 7.39, longitude: -1.97 },
      { name: 'Bosomtwe', towns: ['Kuntanase', 'Jachie', 'Abono'], latitude: 6.54, longitude: -1.42 },
      { name: 'Adansi North', towns: ['Fomena', 'Akrokerri', 'Dompoase'], latitude: 6.29, longitude: -1.52 },
    ],
    dialCode: '+233',
    mobilePrefixes: ['20', '24', '27', '54', '55'],
    subscriberDigits: 7,
    crops: ['Cocoa beans, wet', 'Cocoa beans, dried', 'Cocoa beans, organic', 'Shea nuts'],
    women: ['Abena', 'Adwoa', 'Afia', 'Akosua', 'Ama', 'Efua', 'Esi', 'Yaa', 'Akua', 'Maame Ɛsi', 'Ɔbaa Yaa'],
    men: ['Kofi', 'Kwame', 'Kwabena', 'Yaw', 'Kwaku', 'Kojo', 'Kwasi', 'Ebo', 'Nana Kwame', 'Ɔsei'],
    families: [
      'Mensah',
      'Owusu',
      'Boateng',
      'Asante',
      'Osei',
      'Appiah',
      'Agyeman',
      'Ɔpoku',
      'Sarpong',
      'Adjei',
      'Amoako',
    ],
  },
  {
    country: 'Rwanda',
    province: 'Western Province',
    districts: [
      { name: 'Karongi', towns: ['Rubengera', 'Bwishyura', 'Gishyita'], latitude: -2.06, longitude: 29.35 },
      { name: 'Rutsiro', towns: ['Gihango', 'Kivumu', 'Boneza'], latitude: -1.93, longitude: 29.33 },
      { name: 'Nyamasheke', towns: ['Kagano', 'Shangi', 'Macuba'], latitude: -2.33, longitude: 29.14 },
    ],
    dialCode: '+250',
    mobilePrefixes: ['72', '73', '78', '79'],
    subscriberDigits: 7,
    crops: ['Coffee cherries', 'Coffee, washed parchment', 'Coffee, natural'],
    women: ['Uwase', 'Mutesi', 'Ingabire', 'Claudine', 'Béatrice', 'Espérance', 'Immaculée', 'Josiane', 'Vestine'],
    men: ['Jean-Bosco', 'Emmanuel', 'Félicien', 'Théogène', 'Innocent', 'Aimé', 'Cyprien', 'Jean de Dieu', 'Faustin'],
    families: ['Habimana', 'Niyonzima', 'Uwimana', 'Mukamana', 'Nsengiyumva', 'Hakizimana', 'Mukeshimana', 'Bizimana'],
  },
  {
    country: 'Indonesia',
    province: 'Aceh',
    districts: [
      { name: 'Bener Meriah', towns: ['Redelong', 'Pondok Baru', 'Lampahan'], latitude: 4.75, longitude: 96.87 },
      { name: 'Aceh Tengah', towns: ['Takengon', 'Pegasing', 'Bebesen'], latitude: 4.61, longitude: 96.85 },
      { name: 'Gayo Lues', towns: ['Blangkejeren', 'Kutapanjang', 'Pantan Cuaca'], latitude: 3.99, longitude: 97.34 },
    ],
    dialCode: '+62',
    mobilePrefixes: ['811', '812', '813', '852', '853'],
    subscriberDigits: 8,
    crops: ['Coffee, wet-hulled', 'Nutmeg', 'Cinnamon, cassia', 'Patchouli leaves'],
    women: ['Siti', 'Nurhayati', 'Dewi', 'Aminah', 'Cut Meutia', 'Rahmawati', 'Fatimah', 'Inèn Mayak', 'Yuliana'],
    men: ['Budi', 'Iwan', 'Teuku Ridwan', 'Syafruddin', 'Muhammad Amin', 'Zulkifli', 'Amèn Jaya', 'Rasyid', 'Hasan'],
    families: ['Gayo', 'Lingga', 'Sembiring', 'Siregar', 'Nasution', 'Ginting', 'Harahap', 'Tarigan'],
  },
];

export const asciiName = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '') || 'farmer';
