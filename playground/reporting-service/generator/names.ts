import type { ContentType } from '../world/schema.js';
import type { Random } from './random.js';

/** A name, and its spelling in email addresses. */
type Spelling = readonly [written: string, ascii: string];

export interface Language {
  readonly language: string;
  readonly given: readonly Spelling[];
  readonly family: readonly Spelling[];
}

/** Names separated by spaces. `Иван=ivan` sets the spelling in email addresses. */
function spellings(words: string): readonly Spelling[] {
  return words.split(' ').map((word) => {
    const [written = '', ascii] = word.replaceAll('_', ' ').split('=');
    return [written, ascii ?? plain(written)];
  });
}

function plain(written: string): string {
  return written
    .normalize('NFD')
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .replace(/ı/g, 'i')
    .replace(/ß/g, 'ss')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase();
}

function language(language: string, given: string, family: string): Language {
  return { language, given: spellings(given), family: spellings(family) };
}

/** An underscore is a space inside a name. */
export const languages = {
  english: language(
    'en',
    'Olivia Jack Amara George Priya Harriet Noah Ruby Kwame Ellie Marcus Isla',
    "Smith O'Brien Taylor Okafor Whitfield Patel Nguyen Hughes Campbell D'Souza MacLeod Clarke",
  ),
  american: language(
    'en',
    'Emily Jayden Madison Carlos Brooke Tyrone Ashley Mei Jordan Savannah Luis Grace',
    'Johnson Garcia Washington Kowalski Rivera Chen Miller Begay Thompson-Reyes Park Jefferson Null',
  ),
  german: language(
    'de',
    'Jürgen Anna Björn Käthe Lukas Sören Marlene Günther Ayşe Hannah Felix Ulrike',
    'Müller Schäfer Groß von_der_Heide Weiß Yılmaz Krüger Schmidt Jäger Köhler Becker Vogel',
  ),
  french: language(
    'fr',
    'Zoë François Aïcha Éloïse Mathis Léa Noël Chloé Youssef Anaïs René Camille',
    'Lefèvre Dubois Bénard El_Amrani Rousseau Garçon Moreau D’Aubigné Petit Kouyaté Mercier Roux',
  ),
  spanish: language(
    'es',
    'Íñigo Lucía Álvaro Begoña José_María Nuria Martín Sofía Raúl Carmen Andrés Inés',
    'García_Núñez Muñoz Peña Ibáñez Ordóñez de_la_Cruz Rodríguez Ruiz Castaño Vázquez Soler Gil',
  ),
  portuguese: language(
    'pt',
    'João Antônia Caetano Íris Thiago Conceição Luís Beatriz Davi Larissa Otávio Júlia',
    'Gonçalves Araújo Sampaio Conceição Figueirêdo Souza Brandão Lima Tavares Nóbrega Rocha Alves',
  ),
  polish: language(
    'pl',
    'Łukasz Małgorzata Święcisław Zofia Paweł Agnieszka Grażyna Jan Żaneta Michał Kinga Bogdan',
    'Wójcik Łęcka Kowalczyk Żółkiewska Dąbrowski Nowak Źrebiec Śliwa Błaszczyk Zając Król Maj',
  ),
  russian: language(
    'ru',
    'Иван=ivan Ольга=olga Дмитрий=dmitry Екатерина=ekaterina Сергей=sergey Наталья=natalya Алексей=alexey Юлия=yulia',
    'Петров=petrov Соколова=sokolova Кузнецов=kuznetsov Жукова=zhukova Щербаков=shcherbakov Лебедева=lebedeva',
  ),
  greek: language(
    'el',
    'Ελένη=eleni Γιώργος=giorgos Δήμητρα=dimitra Νίκος=nikos Σοφία=sofia Κώστας=kostas',
    'Παπαδόπουλος=papadopoulos Οικονόμου=oikonomou Γεωργίου=georgiou Νικολάου=nikolaou Αγγελίδης=angelidis',
  ),
  arabic: language(
    'ar',
    'فاطمة=fatima محمد=mohamed ليلى=layla عمر=omar نور=nour يوسف=youssef مريم=mariam خالد=khaled',
    'حسن=hassan المصري=elmasry الخطيب=elkhatib منصور=mansour النجار=elnaggar سليمان=soliman',
  ),
  hebrew: language(
    'he',
    'נועה=noa יוסף=yosef תמר=tamar אורי=uri',
    'כהן=cohen לוי=levi מזרחי=mizrahi פרידמן=friedman',
  ),
  hindi: language(
    'hi',
    'आरव=aarav प्रिया=priya अर्जुन=arjun अनन्या=ananya रोहन=rohan मीरा=meera विक्रम=vikram सुनीता=sunita',
    'शर्मा=sharma अय्यर=iyer गुप्ता=gupta बनर्जी=banerjee नायर=nair सिंह=singh रेड्डी=reddy',
  ),
  chinese: language(
    'zh',
    '伟=wei 芳=fang 秀英=xiuying 浩然=haoran 静=jing 子轩=zixuan 丽=li 建国=jianguo',
    '王=wang 李=li 张=zhang 欧阳=ouyang 刘=liu 陈=chen 诸葛=zhuge 赵=zhao',
  ),
  japanese: language(
    'ja',
    '陽菜=hina 翔太=shota 美咲=misaki 大輔=daisuke さくら=sakura 健一=kenichi 結衣=yui 直樹=naoki',
    '佐藤=sato 鈴木=suzuki 高橋=takahashi 渡邉=watanabe 小林=kobayashi 山﨑=yamazaki 長谷川=hasegawa',
  ),
  korean: language(
    'ko',
    '지우=jiwoo 민준=minjun 서연=seoyeon 하은=haeun 준호=junho 수빈=subin',
    '김=kim 이=lee 박=park 최=choi 정=jung 남궁=namgung',
  ),
  vietnamese: language(
    'vi',
    'Thảo Đức=duc Hương Tuấn Ngọc Bảo Quỳnh Dũng',
    'Nguyễn Trần Lê Phạm Đặng=dang Huỳnh Vũ Võ',
  ),
} as const satisfies Record<string, Language>;

export interface FullName {
  readonly first: Spelling;
  readonly last: Spelling;
}

export function nameIn(language: Language, random: Random): FullName {
  return { first: random.pick(language.given), last: random.pick(language.family) };
}

type Single = readonly [type: ContentType, title: string, category: string, minutes: number];

export const singleContents: readonly Single[] = [
  ['course', 'Code of Conduct', 'Compliance', 35],
  ['course', 'GDPR basics', 'Compliance', 30],
  ['video', 'Gifts, Favours & Bribes', 'Compliance', 12],
  ['assessment', 'Compliance Check', 'Compliance', 20],
  ['article', 'Who may see what?', 'Compliance', 6],
  ['course', 'Information Security Basics', 'Technology', 25],
  ['video', 'Spot the Phish 🎣', 'Technology', 8],
  ['assessment', 'Security Quiz', 'Technology', 15],
  ['course', 'Fire Safety', 'Safety', 20],
  ['video', 'Lifting Without Hurting', 'Safety', 7],
  ['document', 'Forklift Handbook, 4th "Red" Edition', 'Safety', 45],
  ['assessment', 'Forklift Licence', 'Safety', 40],
  ['assessment', 'Safety Test', 'Safety', 15],
  ['article', 'Welcome aboard', 'Onboarding', 5],
  ['video', 'A day with us', 'Onboarding', 9],
  ['link', 'Your benefits, explained', 'Onboarding', 10],
  ['document', 'Who is who (org chart)', 'Onboarding', 8],
  ['assessment', 'First Month Check', 'Onboarding', 15],
  ['course', 'Giving Feedback', 'Leadership', 40],
  ['podcast', 'Leading from afar', 'Leadership', 28],
  ['article', 'One-on-ones that people like', 'Leadership', 7],
  ['course', 'Hiring Fairly', 'Leadership', 50],
  ['assessment', 'Coaching Case Study', 'Leadership', 60],
  ['course', 'Discovery Calls', 'Selling', 30],
  ['video', 'Objections: "too expensive"', 'Selling', 11],
  ['article', 'Pricing in 5 minutes, honest version', 'Selling', 5],
  ['assessment', 'Product Knowledge', 'Selling', 25],
  ['podcast', 'Stories from the road', 'Selling', 33],
  ['course', 'The calm conversation', 'Customer Care', 25],
  ['video', 'Escalate or solve?', 'Customer Care', 10],
  ['article', 'Refunds; the short guide', 'Customer Care', 6],
  ['assessment', 'Support Certification', 'Customer Care', 45],
  ['course', 'Spreadsheets: =SUM() and friends', 'Technology', 45],
  ['video', 'Git for the rest of us', 'Technology', 16],
  ['link', 'Accessibility checklist', 'Technology', 12],
  ['article', '+1: how we review', 'Technology', 4],
  ['podcast', 'Sleep, honestly', 'Wellbeing', 31],
  ['video', 'Desk stretches', 'Wellbeing', 6],
  ['article', 'Gérer le stress à l’été', 'Wellbeing', 9],
  ['course', 'Deutsch für den Büroalltag', 'Languages', 90],
  ['course', 'ビジネス日本語 入門', 'Languages', 90],
  ['video', 'العربية للمبتدئين', 'Languages', 30],
];

type Collection = readonly [title: string, category: string, parts: readonly string[]];

export const tracks: readonly Collection[] = [
  [
    'First Thirty Days',
    'Onboarding',
    [
      'Welcome aboard',
      'A day with us',
      'Your benefits, explained',
      'Who is who (org chart)',
      'First Month Check',
    ],
  ],
  [
    'Rules of the House',
    'Compliance',
    ['Code of Conduct', 'GDPR basics', 'Gifts, Favours & Bribes', 'Compliance Check'],
  ],
  ['Safe at Work', 'Safety', ['Fire Safety', 'Lifting Without Hurting', 'Safety Test']],
  [
    'Forklift, from A to Z',
    'Safety',
    ['Lifting Without Hurting', 'Forklift Handbook, 4th "Red" Edition', 'Forklift Licence'],
  ],
  [
    'New Manager',
    'Leadership',
    [
      'Giving Feedback',
      'One-on-ones that people like',
      'Leading from afar',
      'Hiring Fairly',
      'Coaching Case Study',
    ],
  ],
  [
    'Selling, Step by Step',
    'Selling',
    [
      'Discovery Calls',
      'Objections: "too expensive"',
      'Pricing in 5 minutes, honest version',
      'Product Knowledge',
    ],
  ],
  [
    'Care Agent',
    'Customer Care',
    ['The calm conversation', 'Escalate or solve?', 'Refunds; the short guide', 'Support Certification'],
  ],
  ['Safe Online', 'Technology', ['Information Security Basics', 'Spot the Phish 🎣', 'Security Quiz']],
  ['Well & Awake', 'Wellbeing', ['Sleep, honestly', 'Desk stretches', 'Gérer le stress à l’été']],
  [
    'Languages for Everyone',
    'Languages',
    ['Deutsch für den Büroalltag', 'ビジネス日本語 入門', 'العربية للمبتدئين'],
  ],
];

export const journeys: readonly Collection[] = [
  ['Joining Us', 'Onboarding', ['First Thirty Days', 'Rules of the House', 'Safe Online']],
  ['Path to Leadership', 'Leadership', ['New Manager']],
  ['Customer First', 'Customer Care', ['Care Agent', 'Selling, Step by Step']],
];

export const workshops: readonly (readonly [title: string, category: string, minutes: number])[] = [
  ['First Aid Refresher', 'Safety', 180],
  ['Presenting With Confidence', 'Leadership', 240],
  ['Negotiation Lab', 'Selling', 360],
  ['Difficult Conversations', 'Customer Care', 120],
  ['Fire Drill & Evacuation', 'Safety', 60],
  ['Welcome Day', 'Onboarding', 420],
  ['Data Storytelling: "Show, don’t tell"', 'Technology', 180],
  ['Mindful Tuesdays 🧘', 'Wellbeing', 45],
];

/** Archived content. */
export const archivedTitles: ReadonlySet<string> = new Set([
  'Compliance Check',
  'Who may see what?',
  'Accessibility checklist',
  'Languages for Everyone',
  'Path to Leadership',
  'Fire Drill & Evacuation',
]);
