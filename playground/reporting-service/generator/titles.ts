import type { ContentType } from '../world/rows.js';

type Single = readonly [type: ContentType, title: string, category: string, minutes: number];

export const singles: readonly Single[] = [
  ['course', 'Code of Conduct', 'Compliance', 35],
  ['course', 'Data Protection at Work', 'Compliance', 30],
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
    ['Code of Conduct', 'Data Protection at Work', 'Gifts, Favours & Bribes', 'Compliance Check'],
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

/** What is archived by now. */
export const retired: ReadonlySet<string> = new Set([
  'Compliance Check',
  'Who may see what?',
  'Accessibility checklist',
  'Languages for Everyone',
  'Path to Leadership',
  'Fire Drill & Evacuation',
]);
