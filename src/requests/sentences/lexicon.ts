import { passedStatuses } from '../../catalogue/assessments.js';
import type { ReportName, TitleOption } from '../../catalogue/index.js';
import { units } from '../calendar-words.js';
import { lazily } from '../text-tables.js';
import type { Fact, FactOf, Found, Refusal } from './facts.js';
import type { Sentence } from './words.js';

const notYet =
  'non|hasnt|havent|hadnt|has+not|have+not|didnt|did+not|doesnt|does+not|dont|do+not|isnt|is+not|arent|are+not|wasnt|was+not|werent|were+not|not|never|yet+to|has+yet+to|have+yet+to|still+to';

const done = 'done|do|completed|complete|finished|finish';

/** Said of what is not done. Alone, they can mean something else. */
const made =
  'make|made|through|gone+through|go+through|been+through|got+through|get+through|taken|take|got+round+to';

const notPassed = 'hasnt|havent|hadnt|has+not|have+not|had+not|isnt|is+not|arent|are+not|not|never';

const begun = 'started|start|begun|begin|opened|touched|touch|looked+at';

/** Phrases with one meaning, and a pattern of them on each line. */
function says(fact: Fact) {
  return (lines: TemplateStringsArray, ...inserted: readonly string[]) => ({
    fact,
    // Without `raw`, `\u2264` is a sign: the bundler cannot write those of a tagged template in ASCII.
    patterns: String.raw({ raw: lines }, ...inserted)
      .trim()
      .split(/\s*\n\s*/),
  });
}

const report = (name: ReportName) => says({ kind: 'report', report: name });
const weakly = (name: ReportName) => says({ kind: 'report', report: name, weakly: true });
const thing = (option: TitleOption) => says({ kind: 'thing', option });
const state = (states: FactOf<'state'>['states']) => says({ kind: 'state', states });
const notYetPassed = says({
  kind: 'state',
  states: { assessments: '' },
  isAlone: true,
  // There is no state for all other statuses.
  option: `assessment_status:!${passedStatuses.join(',')}`,
});
const filter = (member: string, entry: string) => says({ kind: 'filter', member, entry });
const command = (name: string) => says({ kind: 'command', command: name });
const refused = (reason: Refusal, only?: FactOf<'refused'>['only']) =>
  says({ kind: 'refused', reason, only });
/** What a noun such as “department” can mean: filter members, and fields of a breakdown. */
const noun = (members: string, by: string) =>
  says({ kind: 'noun', members: listed(members), by: listed(by) });
const listed = (words: string) => words.split(' ').filter(Boolean);

/**
 * Phrases by their meaning. In a phrase, `|` separates alternatives, `+` joins the words of one, and `?` marks what can
 * be left out.
 */
export const phrases = [
  says({ kind: 'filler' })`
    a|an|the|this|that|these|those|there|here|it|its|of|in|on|at|for|from|to|with|within|by|as|about|among|amongst|or|so|per|onto
    is|are|was|were|be|been|being|am|do|does|done+by|has|have|had|having|will|would|could|can|may|might|should|shall|let|lets
    please|pls|plz|ta|you|rn|um|uh|hm|hmm|btw|fyi|wanna|at+all|attach|attached|company|company+wide|companywide|organization|organisation|business|workforce|kindly|pretty+please|if+possible|if+you+can|if+you+could|when+you+can|asap|real+quick|quickly|briefly|i+dont+know|dont+know|not+sure|if+you+dont+mind|for+a+meeting|sorry
    bot|quick|quick+one|quick+question|question|as+of+today|as+of+now|by+the+way
    show|show+me|give|give+me|tell|tell+me|get|get+me|let+me+see|let+me+know|find|find+me|find+out|fetch|display|bring+me|bring+up|pull|pull+up|pull+me|pull+out|grab|grab+me|generate|produce|prepare|share|hand+me|let+us+see|lets+see|lemme+see|gimme|gimmie|open+up|print|provide|provide+me+with|help+me+find|remind+me+who|remind+me+what|search|search+for|quickly+show
    see|look|look+at|view|check|know|want|wanted|need|needs|run|report|reports|report+on|ask
    i|we would? like|want|need to? see|know|have|get?
    id like to? see|know|have|get?
    wondering|curious|know|see|check|find+out|tell+me|ask if|whether
    is|would it be? possible to? get|see|have|know?
    my boss|manager|director|lead wants|needs|wanted|needed|asked|asks to|for? see|know?
    do|have you have|got
    im+after|i+was+wondering|was+wondering|wondering|just+wondering|im+curious|curious|im+trying+to+find+out|trying+to+find|trying+to+see|i+am+looking+for|we+are+looking+for|looking+for|id+love+to+see|id+like|i+d+like|may+i+see|would+love|would+like|would+like+to+know|would+like+to+see|is+there+a+way+to+see|is+it+possible+to+see|can+you+tell+me|could+you+tell+me|tell+us|i+just+need|i+only+need|whats+the+story+with|whats+the+status+of|any+idea|any+news+on|any+update+on|an+update+on|update+on|updates+on|latest|the+latest+on|latest+on
    i+want+to+know|i+want+to+see|i+need+to+know|i+need+to+see|i+need|i+want|i+would+like|i+wonder|im+interested+in|im+looking+for|can+i|could+i|may+i|can+you|could+you|would+you|do+you+know|can+i+get|could+i+get|could+i+have|please+could+i+have|can+i+have|can+i+see|could+i+see|can+we
    we|us|our|ours|one|ones|same|same+but|the+same+but|same+again|same+again+but|same+thing|same+thing+but|same+report|same+report+but|just|exactly|currently|right+now|at+the+moment|now|so+far|to+date|already|still|yet|again|currently|together|altogether|overall|in+total|total|ever+so|same+,+but|the+same+,+but|same+again+,+but|same+thing+,+but
    all|every|each|any|some|someone|anything|something|both|whole|entire
    people|persons|person|learner|learners|user|users|employee|employees|staff|colleagues|folks|guys|workers|trainees|students|attendees|delegates|headcount|individuals|members|member|everyone|everybody|team+members|staff+members|participants
    number|numbers|nos|figures|figure|stats|statistics|statistic|metrics|metric|kpi|kpis|data|snapshot|recap|roundup|breakdown+of|chart|charts|graph|table+view|view+of|picture|the+picture|situation|standings|position+of|records|record|entries|cases|overview|summary|status|state|result|results|rate|rates|count|counts|level|levels|details|info|information
    most|least|highest|lowest|fewest|average|got|everywhere|everything|month+of|the+month+of|which+is|that+is|working|based|located
    like|what+about|how+about|ranked|ranking|ranked+by|well|so
    looking|going|actual|actually|really|basically|maybe|perhaps|right|certain|relevant|different|individual|respective|things|thing|item|items|stuff
    own|personal
    their|his|her|they|he|she|them|who+work|who+works|that+work
    happening|happened|held|hosted|ran|offered|there+been|take+place|took+place|taken+place|takes+place|taking+place|planned|going+on|break+down|broken|broken+down|broken+out|split+out|took|taken|take|taking|went|split|split+up|grouped|break+it+down|break+them+down|break+this+down|breakdown|divided|sliced
    left|over|up|out+of|among|across+all|during|range|period|dates|date`,
  says({ kind: 'filler', isDid: true })`did`,
  says({ kind: 'filler', isJoint: true })`and|plus|also|then|as+well+as|along+with|together+with|followed+by`,
  says({ kind: 'filler', isGreeting: true })`
    hey|hi|hello|hiya|howdy|yo|heya|hey+there|hi+there|hello+there|hi+all|hi+team|good+day|good+morning|good+afternoon|good+evening|morning|rollcall|ok|okay|how+are+you|how+are+you+doing|hows+it+going|whats+up|sup`,
  says({ kind: 'filler', isThanks: true })`
    thanks|thank+you|thank+u|thx|tx|cheers|many+thanks|thanks+a+lot|thanks+a+bunch|thanks+a+million|thank+you+so+much|thank+you+very+much|thanks+so+much|much+appreciated|appreciated|ty|tysm|thats+all|thats+it|thats+great|thats+perfect|thats+helpful|very+helpful|perfect|brilliant|awesome|great+stuff|lovely|nice+one|good+job|well+done|great+work|great|cool|nice|super|excellent|fantastic|good+bot|got+it|great+thanks|no+thanks|no+thank+you|all+good`,
  ...units.map(
    (unit) => says({ kind: 'before', unit })`
    the? ${unit} before
    the? previous ${unit}+before`,
  ),
  refused('two')`either`,
  refused('against')`
    better|worse|faster|slower|industry|competitors|competition|beat|beats|beating|outperform|outperforms|ahead+of|compared+to+others|than+others|than+us|than+me|than+average
    year on|over|to|by year
    yoy|benchmark|benchmarks|company+average|overall+average|industry+average
    the? same|corresponding|equivalent day|week|month|quarter|year|period|time
    my|our|the|other|all? peers|colleagues|others|rest`,
  refused('rate')`
    best|worst|top|bottom|reach|reached|reaching|percentage|percentages|percent|pct|quota|ratio|target|targets|goal|goals|rank|leaderboard|champion|champions|winner|winners|star|stars|popular|good|bad|strongest|weakest|successful|per+head|per+capita|slowest|fastest|majority|minority`,
  refused('never')`
    never|nothing|nobody|none|noone|no|nowhere|hardly|barely|seldom|rarely|scarcely|without|zero|not+a+single|not+one|not+once|w/o|lacking|lack|lacks|unassigned`,
  refused('excluding')`
    except|excepting|exception|exceptions|excluding|exclude|excludes|excluded|but|minus|besides|apart|aside|else|outside|unless|not|neither|nor|non|barring|bar|rather|unlike|instead+of|ignoring|ignore|skipping|skip|omitting|omit|excl|sans|other+than|save+for|leave|leaving|drop|dropping|hide|hiding|other|others|disregard|disregarding|take+out|filter+out|filtering+out|cut+out|remove|removing|exempt|far+from|away+from|different+from|differs+from|differ+from
    isnt|arent|wasnt|werent|dont|doesnt|didnt|hasnt|havent|hadnt|cannot|cant|wont|wouldnt|aint|shouldnt|couldnt|mustnt|neednt
    none|nobody|noone of|in|from`,
  refused('excluding')`
    ${notPassed}|didnt|did+not passed|pass or|nor failed|fail`,
  refused('excluding', 'not-last')`instead`,
  refused('comparing')`
    by a|an day|week|month|year
    <|>|<=|>=|=|==|\u2264|\u2265
    more|nearly|almost|less|fewer|above|below|under|beneath|than|beyond|exceed|exceeds|exceeded|exceeding|longer|shorter|older|newer|higher|lower|bigger|smaller|larger|greater|later+than|earlier+than|twice|thrice|once|half|double|dozen|dozens|hired|joined|minimum|maximum|min|max|several|many|much|few|multiple|before|after|at+least|at+most|up+to|lots|loads|plenty|enough|or+more|or+less|or+fewer|on+time|in+time`,
  refused('trend')`
    trend|trends|trending|evolve|evolves|evolved|evolving|evolution|timeline|over+time|growth|grow|grew|growing|grown|rise|rises|rising|rose|risen|increase|increases|increased|increasing|decrease|decreases|decreased|decreasing|decline|declined|declining|improve|improves|improved|improving|improvement|dropped|fallen|falling|going+up|going+down|gone+up|gone+down|went+up|went+down|go+up|go+down|changed|change|changes|curve|history|time+series|seasonality|plot|line+chart|as+a+line|a+line
    develop|develops|developed|developing|development
    per|by day|week|month|quarter|year
    day by|on|over|after|to day
    week by|on|over|after|to week
    month by|on|over|after|to month
    quarter by|on|over|after|to quarter`,
  refused('other')`
    why|remind|reminds|reminded|reminder|reminders|delete|invite|cancel|forecast|forecasts|predict|predicts|prediction|recommend|recommends|recommendation|suggest|suggests|how+come|learn+next|chase|nudge|notify|unsubscribe|enrol|enroll|unenrol|unenroll|unassign|stop|pause|resume|create|add|update|edit|rename|forget|approve|reset|delay|postpone|ask+them|tell+them|warn|explain|translate|mean|means|define|definition
    send an|the? email|mail|message|reminder to
    how do|can|should|to i|we|people? complete|finish|start|pass|register|enrol|enroll|log+in|sign+up|sign+in`,
  refused('other', 'first')`
    assign|email|mail|call|text|register|sign|extend|upload|book|remove|move|transfer|close|publish|archive|write`,
  report('assignments')`assignment|assignments|assignment+summary`,
  weakly('assignments')`
    assign|assigning|assigned|was+assigned|were+assigned|been+assigned|given+to|given|given+out|handed+out|hand+out|allocated|issued|received|receive|completion+rate|completion+rates|on+time+rate|on+time+rates|share+on+time|mandatory`,
  report('tracks')`
    track+status|track+progress|enrolment|enrolments|enrollment|enrollments|track+enrolment|track+enrolments|track+enrollment|track+enrollments`,
  weakly('tracks')`
    progress|progressing|how+far|how+far+along|enrolled`,
  report('completions')`
    completion|completions|content+completion|content+completions`,
  report('assessments')`
    assessment+status|score|scores|grading|attempts|pass+rate|pass+rates|passing+rate|failure+rate|quiz+results|test+results|exam+results`,
  report('engagement')`
    engagement|user+engagement|learner+engagement|engaged|learning+activity|activity|activities|usage|platform+usage|system+usage|usage+of+the+platform|logins|log+ins|sign+ins|signins|views|learning+time|most+active|least+active|how+active|how+engaged|learning+hours|hours+learned|hours+of+learning|most+engaged|least+engaged|viewing+time|time+spent|time+spent+learning`,
  weakly('engagement')`
    minutes|hours|time learned|learnt|spent|viewed|watched|of+learning|of+training
    how+many hours|minutes
    how|how+long|how+is|hows|how+are|how+was|how+were|how+did|how+do|how+does|how+much+time|spend|spent|spent+on|doing|perform|performing|performed|learn|learning|learned|learnt`,
  weakly('workshops')`
    how+many people|learners|of+us|of+them? came|come|showed+up|turned+up
    join|attend|attended|attending|attendees|turnout|turn+out|signed+up|book|seats|how+full|seat|places|sessions|attendance|registrations|registered`,
  report('workshops')`
    no+shows|no+show|noshows|cancelled+registrations|workshop+engagement|training+session|training+sessions|classroom+training|classroom+trainings`,
  thing('content')`
    training|trainings|course|courses|module|modules|lesson|lessons|e+learning|elearning|content|contents|material|learning+item|learning+items`,
  thing('track')`
    track|tracks|learning+track|learning+tracks|learning+path|learning+paths|path|paths`,
  thing('assessment')`assessment|assessments|test|tests|quiz|quizzes|exam|exams`,
  thing('workshop')`workshop|workshops|class|classes|webinar|webinars`,
  says({ kind: 'view', view: 'overdue' })`
    late|overdue|past+due|past+their+due+date|past+the+due+date|past+deadline|past+their+deadline|behind|behind+on|behind+with|lagging|lagging+behind|missed+the+deadline|missed+their+deadline|has+missed|have+missed|missed|lapsed|expired|beyond+the+deadline|over+due|slipped|that+slipped
    became|went|got|turned|gone|has+become|have+become overdue|late
    should|must|ought+to have|ve been? done|completed|finished|handed+in
    missed a|any|its|the|their|my|our deadline|deadlines|due+date|due+dates`,
  says({ kind: 'view', view: 'overdue', fell: true })`
    what|which|that? fell|came|was|were|have+fallen|has+fallen|had+been|should+have+been|ought+to+have+been due`,
  says({ kind: 'sort', flags: [], view: 'overdue' })`
    the? most+overdue+first|longest+overdue+first|oldest+first
    sorted|ordered by days overdue`,
  says({ kind: 'sort', flags: [], view: 'due' })`the? soonest+first|earliest+first|next+first`,
  says({ kind: 'view', view: 'due' })`
    due|coming+due|comes+due|come+due|falls+due|fall+due|falling+due|gets+due|becomes+due|become+due|will+be+due|deadline|deadlines|due+date|due+dates|to+be+completed|to+be+done|have+to+be+done|has+to+be+done|must+be+done|needs+to+be+done|need+to+be+done|expiring|expires|expire`,
  says({ kind: 'to-do' })`
    to+do|todo|todos|to+dos|left+to+do|still+to+do|plate|on+the+list|on+the+to+do+list|to+do+list|todo+list|homework
    still? has|have|need|needs|must|should|ought|got to? do|finish|complete|be+done|get+done|get+through|take
    open|outstanding|remaining tasks|task|work`,
  says({ kind: 'upcoming' })`upcoming|coming+up|coming|ahead|next|soon|in+the+future|future`,
  state({ assignments: 'overdue' })`state overdue`,
  state({ assignments: 'due-soon' })`
    due+soon|soon+due|almost+due|nearly+due|close+to+due|due+any+day`,
  state({ assignments: 'late' })`
    completed|finished|done|passed+in after the|their|its? deadline|deadlines|due+date|due+dates
    late|completed+late|finished+late|done+late|late+completions|late+completion|too+late`,
  state({ assignments: 'not-started', tracks: 'not-started' })`
    ${notYet} yet|even|been? ${begun} yet?
    assigned|enrolled|given but+not|and+not|but+not+yet|but+never|but+havent|but+hasnt ${begun}
    unstarted|untouched`,
  says({ kind: 'date-field', flag: 'updated_date' })`updated|changed|modified`,
  state({ assignments: 'in-progress', tracks: 'in-progress' })`
    have|has? started|begun|begin|start but+not|but+never|and+not|but+not+yet completed|finished|done
    in+progress|underway|under+way|halfway|midway|halfway+through|midway+through|part+way+through|ongoing|in+the+middle+of|working+on`,
  state({ assignments: 'not-completed', tracks: 'not-completed' })`
    ${notYet} yet|still|been|fully|even? ${done}|${made} yet?
    still? owes|owe us?
    assigned|enrolled|given|due but+not|and+not|but+not+yet|but+never|but+havent|but+hasnt ${done}
    ${notYet} compliant|certified|trained
    incomplete|unfinished|uncompleted|outstanding|pending|still+open|to+be+finished|still+missing|is+missing|are+missing|missing|open|still+in+need+of`,
  state({ assignments: 'completed', tracks: 'completed', completions: '' })`
    have|has? completed|complete|finished|finish|done`,
  state({ tracks: 'stalled' })`stalled|stuck|stalling|got+stuck|under+50+percent`,
  state({ assessments: 'passed' })`have|has? passed|pass|passes|passing|succeeded`,
  // Failed alone leaves out who waits, or has not taken it. Both can be meant.
  notYetPassed`
    ${notPassed} pass|passed|passing|succeeded
    unpassed
    yet+to|has+yet+to|have+yet+to|is+yet+to|are+yet+to|still+to pass
    still? has|have|need|needs|must|should|ought|got to? pass
    should|must|ought+to have|ve passed
    to pass`,
  says({ kind: 'state', states: { assessments: 'failed' }, isAlone: true })`
    ${notPassed} pass|passed|passing|succeeded`,
  state({ assessments: 'failed' })`
    failed|fails|fail to pass
    have|has? failed|fail|fails|failures|failure|failing|flunked|flunk|flunks
    didnt|did+not pass`,
  says({ kind: 'unknown' })`on+track|this+morning`,
  says({ kind: 'unknown', isNoun: true })`
    my|your department|departments|dept|division|location|city|office|site|group|region|country|area|unit|grade|role|level|manager|boss|cohort
    past|previous|earlier|recent|recently|lately|old|new|save|sort|sorted|order|ordered`,
  state({ assessments: 'waiting', workshops: 'waitlist' })`waiting`,
  state({ assessments: 'waiting' })`
    waiting|wait|waits for|to+be? graded|grading|marked|marking|a+grade|reviewed|review|grades
    ungraded|unmarked|unreviewed|not+graded
    awaiting|pending|needs|need grading|marking|review|a+grade
    has|have|needs|need|still|yet? to be graded|marked|reviewed`,
  state({ engagement: 'inactive' })`
    inactive|dormant|idle
    did|done|do|does|doing nothing
    still? has|have|need|needs|must|should to? log|sign in|on
    ${notYet} been? active|engaged|logged+in|log+in|logged+on|signed+in|sign+in|learned+anything|learnt+anything|done+anything
    ${notYet} use|used|using it|the+platform|the+system`,
  state({ engagement: 'active' })`active`,
  says({ kind: 'state', states: { engagement: 'active' }, ofPeople: true })`
    have|has|had|did|does|do|actually? logged|signed in|on
    log|sign|signs|logs in|on
    used+it|used+the+platform|showed+up+online`,
  state({ workshops: 'free-seats' })`
    free
    free seats|seat|places|place|spots|spaces
    seats|places|spots|space|spaces left|available|free
    available|open seats|places|spots
    room left|available|free
    with|have|has|having still? seats|places|spots|room
    still have|has seats|places|spots|room|space
    there any? space|room|seats|places|spots
    can|could i|we|people|anyone|anybody still? sign+up|register|enrol|enroll|join|book
    bookable|not+full|with+space|still+free`,
  state({ workshops: 'full' })`
    full|fully+booked|booked+out|booked+up|sold+out|no+seats+left`,
  state({ workshops: 'waitlist' })`
    waitlist|wait+list|waiting+list|waiting+lists|waitlisted|waitlists|on+the+waiting+list`,
  noun('departments', 'departments')`
    department|departments|dept|depts|division|divisions`,
  noun('teams departments', 'teams')`team|teams|squad|squads`,
  noun('locations', 'locations')`
    location|locations|city|cities|office|offices|site|sites|branch|branches|place+of+work`,
  noun('groups', 'groups')`group|groups`,
  noun('grades', 'grade')`grade|grades`,
  noun('org_levels', 'org_level')`
    org+level|org+levels|organization+level|organisation+level`,
  noun('role', 'role')`role|roles`,
  noun('partner', 'partner')`partner|partners`,
  noun('categories', '')`category|categories`,
  noun('', 'region')`region|regions`,
  noun('', 'language')`language|languages`,
  noun('', 'job_title')`job+title|job+titles|position|positions`,
  noun('', 'manager_email')`
    manager|managers|supervisor|supervisors|line+manager|line+managers|boss`,
  noun('entity_type', 'content_type')`
    content+type|content+types|type|types|kind|kinds`,
  noun('', 'assignment_status track_status assessment_status workshop_status')`
    status|statuses|state|states`,
  noun('', 'host_name')`host|hosts|trainer|trainers|instructor|instructors`,
  noun('', 'containing_journey journey')`journey|journeys`,
  filter('manager_email', 'me')`
    my team|people|reports|direct+reports|staff|team+members|employees|crew|squad|folks|guys
    people+who+report+to+me|who+report+to+me|reporting+to+me|who+reports+to+me|your+team|my+own+team|i+manage|people+i+manage|the+people+i+manage`,
  filter('email', 'me')`
    me|my|mine|i|myself|my+own|am+i|have+i|do+i|did+i|was+i|i+have|i+am|im|ive|for+me|yourself|your+own`,
  filter('suspended', 'any')`
    including suspended people|learners|users|accounts?
    with suspended people|learners|users|accounts`,
  filter('suspended', 'yes')`only? suspended people|learners|users|accounts`,
  filter('suspended', 'no')`
    without|excluding|except|ignoring|not+counting|not suspended people|learners|users|accounts`,
  filter('is_manager', 'yes')`
    of|for|by|among managers
    managers+only|only+managers`,
  says({ kind: 'managed-by' })`
    reporting+to|report+to|reports+to|who+report+to|who+reports+to|managed+by|people+reporting+to|people+managed+by
    the? team|direct+reports|reportees of`,
  says({ kind: 'people' })`
    who|whom|whose|who+is|whos|who+are|who+was|who+were|anyone|anybody|nobody+but|people+who|people+that|persons+who|learners+who|users+who|everyone+who|everybody+who|all+who|those+who|anyone+who|anybody+who|someone+who|which+people|which+learners|which+users|which+employees|which+persons|which+staff|what+people|names|names+of|the+names+of|employees+who|colleagues+who|staff+who|all+people|all+learners|which+colleagues|everyone+that
    show|show+me|give+me|see|find|pull|name everyone|everybody|anyone|anybody`,
  says({ kind: 'which' })`which|whichever|which+ones`,
  says({ kind: 'what' })`
    what|whats|what+is|what+are|what+was|what+were|what+has|what+have|when|when+is|whens|where|how+much`,
  says({ kind: 'what', counts: true })`
    how+many
    the? number|count|amount|quantity|sum|#|nr|nbr of`,
  says({ kind: 'rows', always: true })`rows|with+rows|with+the+rows`,
  says({ kind: 'rows' })`
    list|a+list+of|list+of|listed|lists|in+rows|row+by+row|in+detail|with+details|table|table+of|as+a+table|in+a+table|as+a+list|with+a+list|with+names|by+name|per+person|by+person|by+learner|per+learner|per+employee|one+by+one|individually
    for|of? each person|learner|employee|user`,
  says({ kind: 'file', file: 'csv', weakly: true })`
    export|exported|download|as+a+file|file|attachment|with+file|with+a+file`,
  says({ kind: 'file', file: 'csv' })`csv|csv+file|csv+files|csvs`,
  says({ kind: 'file', file: 'xlsx' })`
    excel|excel+file|xlsx|xls|spreadsheet|spreadsheets|excel+sheet|excel+spreadsheet|workbook|export+to+excel|download+as+excel`,
  says({ kind: 'file', file: 'evidence' })`
    evidence|evidence+of|evidence+for|as+evidence|as+proof|audit+evidence|the+evidence|proof+of|with+evidence
    evidence|proof for the? auditor|auditors|audit|inspector|inspectors|regulator`,
  says({ kind: 'file', file: 'evidence', weakly: true })`
    for+the+auditor|for+the+auditors|for+an+auditor|for+our+auditor|for+our+auditors|for+auditors`,
  says({ kind: 'to-me' })`
    send+me|send+that+over+to+me|ping+me|get+me+by+dm|to+me|to+me+alone|to+me+only|to+my+direct+messages|dm|dm+me|privately|private|in+private|in+a+direct+message|in+a+dm|as+a+dm|as+a+direct+message|direct+message|by+direct+message|only+to+me|just+to+me|send+it+to+me|send+them+to+me|send+that+to+me|send+this+to+me|message+me|in+my+direct+messages|to+my+dms|in+my+dms|just+for+me+to+see`,
  says({ kind: 'share' })`
    up+to+date|compliant
    what|which? percentage|percent|share|proportion of?
    did|has|have|do|does|is|are everyone|everybody|all|every+one|everyone+else|all+people`,
  says({ kind: 'compare' })`
    compare|compared|comparison|comparing|compare+the|comparison+of|compared+to|compared+with|versus|vs|against|difference+between`,
  says({ kind: 'only' })`
    only|only+the|just+the|limit+to|limited+to|narrow+to|filter+by|filter+to|filtered+by|restrict+to|restricted+to|nothing+but`,
  says({ kind: 'schedule-option', option: 'replace' })`
    replace|replacing+the+last+message|replace+the+last+message`,
  says({ kind: 'schedule-option', option: 'skip-empty' })`
    skip+empty|skip+when+empty|unless+empty|if+not+empty|unless+its+empty|only+if+there+is+something|skip+when+there+are+no+results`,
  says({ kind: 'schedule' })`
    schedule|post|post+it|send|send+us|send+it|posted|repeat|deliver|regularly|automatically|in+this+channel`,
  command('help')`
    help|help+me|help+me+please|i+need+help|need+help|i+am+lost|what+can+you+do|what+can+i+ask|what+can+i+ask+you|how+does+this+work|how+do+you+work|how+does+it+work|what+can+i+do|what+do+you+do|who+are+you|what+are+you|how+do+i+use+this|instructions|what+can+we+ask
    what|which reports are+there|do+you+have|can+i+ask+for|can+i+run|exist
    list|show|all? the? reports`,
  command('list')`
    saved reports|report|digests|digest
    my saved? reports+and+digests|digests|digest|saved+reports
    digests|digest|saved+requests`,
  command('access')`
    what+am+i+allowed+to+see|what+am+i+allowed+to+ask|what+may+i+see|what+may+i+ask|what+can+i+see|who+may+see+what|who+can+see+what|who+may+ask+what|who+can+ask+what|my+access|access|access+levels|permissions|my+permissions|my+rights`,
];

/** The noun that breaks a summary down by a field: `department`; undefined: no noun does. */
export function breakdownNoun(flag: string, isField: (flag: string) => boolean): string | undefined {
  return nounOf(({ by }) => by.find(isField) === flag);
}

/** The noun for a filter member: `departments`; undefined: it has none. */
export function memberNoun(member: string): string | undefined {
  return nounOf(({ members }) => members[0] === member);
}

function nounOf(isMeant: (noun: FactOf<'noun'>) => boolean): string | undefined {
  const found = phrases.find(({ fact }) => fact.kind === 'noun' && isMeant(fact));
  return found?.patterns[0]?.split('|')[0]?.replaceAll('+', ' ');
}

/** A place in a pattern. One of the spellings stands there, each as the keys of its words. */
interface Slot {
  readonly spellings: readonly (readonly string[])[];
  readonly isOptional: boolean;
}

interface Pattern {
  readonly slots: readonly Slot[];
  readonly fact: Fact;
}

function slotsOf(pattern: string): readonly Slot[] {
  return pattern.split(' ').map((slot) => ({
    spellings: slot
      .replace(/\?$/, '')
      .split('|')
      .map((spelled) => spelled.split('+')),
    isOptional: slot.endsWith('?'),
  }));
}

/** The patterns that can begin with a word. Made for the first sentence, so that no start waits for them. */
const patternsByFirst = lazily((): ReadonlyMap<string, readonly Pattern[]> => {
  const byFirst = new Map<string, Pattern[]>();
  for (const { fact, patterns } of phrases) {
    for (const slots of patterns.map(slotsOf)) {
      const pattern = { slots, fact };
      const required = slots.findIndex(({ isOptional }) => !isOptional);
      const first = slots.slice(0, required < 0 ? slots.length : required + 1);
      for (const key of new Set(first.flatMap(({ spellings }) => spellings.map(([word = '']) => word)))) {
        const list = byFirst.get(key) ?? [];
        list.push(pattern);
        byFirst.set(key, list);
      }
    }
  }
  return byFirst;
});

/**
 * The longest phrase that begins at an index. Names and texts in quotes are in none. A phrase that several patterns
 * spell can say what each of them says.
 */
export function phraseAt({ words }: Sentence, at: number): Found | undefined {
  const keyAt = (index: number) => {
    const word = words[index];
    return word?.kind === 'word' || word?.kind === 'comma' ? word.key : undefined;
  };
  /** The end of the longest match of the slots from one on; -1: none. */
  const endOf = (slots: readonly Slot[], from: number, start: number): number => {
    const slot = slots[from];
    if (!slot) return start;
    let longest = slot.isOptional ? endOf(slots, from + 1, start) : -1;
    for (const keys of slot.spellings) {
      if (!keys.every((key, index) => keyAt(start + index) === key)) continue;
      longest = Math.max(longest, endOf(slots, from + 1, start + keys.length));
    }
    return longest;
  };
  let end = at;
  let facts: Fact[] = [];
  for (const { slots, fact } of patternsByFirst().get(keyAt(at) ?? '') ?? []) {
    const found = endOf(slots, 0, at);
    if (found <= at || found < end) continue;
    if (found > end) facts = [];
    end = found;
    if (!facts.some((other) => JSON.stringify(other) === JSON.stringify(fact))) facts.push(fact);
  }
  return end > at ? { length: end - at, facts } : undefined;
}

/** Every word that stands in a phrase. Of two that are equally near to a misspelt one, the first is offered first. */
export function lexiconWords(): readonly string[] {
  const patterns = new Set([...patternsByFirst().values()].flat());
  return [...patterns].flatMap(({ slots }) => slots.flatMap(({ spellings }) => spellings.flat()));
}
