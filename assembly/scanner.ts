/*
 * The two hot loops of an answer, sixteen bytes at a time: `read` puts the members of a record into slots, `writeCells`
 * writes slots as the cells of a CSV row. This is AssemblyScript, which `npm run build` compiles to WebAssembly
 * (src/reporting-api/answer/scanner-code.ts).
 *
 * Both handle the usual cases only, and return `unusual` for all others. Their callers then do the same work in
 * JavaScript (`object-reader.ts`, `csv-cells.ts`), which knows the whole grammar and throws all errors. A zero follows
 * the input and is valid nowhere in JSON, so no loop checks for the end.
 */

/** For an error, a new name, a repeated member, too many of anything, and every rare form of a value. */
const unusual: usize = 0;
/** The input ends before the object does. */
const incomplete: usize = 1;

// The kinds and limits of json.ts.
const absent: u8 = 0;
const isNull: u8 = 1;
const isFalse: u8 = 2;
const isTrue: u8 = 3;
const isNumber: u8 = 4;
const isList: u8 = 5;
const isObject: u8 = 6;
const isJson: u8 = 7;
const isText: u8 = 8;
const withSeparator: u8 = 1;
const withEscape: u8 = 2;
const maxNesting: u32 = 512;

const quote: u8 = 0x22;
const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const dot: u8 = 0x2e;
const zero: u8 = 0x30;
const colon: u8 = 0x3a;
const semicolon: u8 = 0x3b;
const openBracket: u8 = 0x5b;
const backslash: u8 = 0x5c;
const closeBracket: u8 = 0x5d;
const openBrace: u8 = 0x7b;
const closeBrace: u8 = 0x7d;
const blank: u8 = 0x20;

const wordTrue: u32 = 0x65757274;
const wordAlse: u32 = 0x65736c61;
const wordNull: u32 = 0x6c6c756e;

/** The state of an object reader, as `object-reader.ts` lays it out: addresses and counts. */
@unmanaged
class Reader {
  kinds: usize;
  starts: usize;
  ends: usize;
  order: usize;
  /** Addresses of the readers of objects by number, up to `requested`; 0 where there is none. */
  nested: usize;
  filled: usize;
  nameStarts: usize;
  followers: usize;
  table: usize;
  pool: usize;
  tableMask: u32;
  requested: u32;
  level: u32;
  names: u32;
  members: u32;
  filledCount: u32;
}

let inputEnd: usize = 0;

/**
 * Reads an object into its slots, from the byte after its brace. Returns the address after it, `unusual` or `incomplete`.
 *
 * @param end the address of the zero behind the input
 */
export function read(reader: Reader, from: usize, end: usize): usize {
  inputEnd = end;
  return readMembers(reader, from);
}

/** For a byte that is invalid in its place: either the input has ended, or this is not JSON. */
function unexpected(at: usize): usize {
  return at >= inputEnd ? incomplete : unusual;
}

function readMembers(reader: Reader, from: usize): usize {
  clear(reader);
  const kinds = reader.kinds;
  const starts = reader.starts;
  const ends = reader.ends;
  const order = reader.order;
  const followers = reader.followers;
  const nameStarts = reader.nameStarts;
  const pool = reader.pool;
  let members: u32 = 0;
  let number: u32 = 0;
  let i = from;
  if (load<u8>(i) <= blank) i = skipBlanks(i);
  if (load<u8>(i) === closeBrace) return i + 1;
  while (true) {
    if (load<u8>(i) !== quote) return unexpected(i);
    i += 1;
    const likely = load<u32>(followers + (number << 2));
    const spelled = pool + load<u32>(nameStarts + (likely << 2));
    const length = pool + load<u32>(nameStarts + (likely << 2), 4) - spelled;
    if (isSame(i, spelled, length)) {
      i += length;
      number = likely;
    } else {
      const found = lookUp(reader, i);
      if (found === 0) return unexpected(behindName);
      store<u32>(followers + (number << 2), found);
      number = found;
      i = behindName;
    }
    if (load<u8>(kinds + number) !== absent) return unusual;
    let byte = load<u8>(i);
    if (byte !== colon) {
      i = skipBlanks(i);
      if (load<u8>(i) !== colon) return unexpected(i);
    }
    i += 1;
    byte = load<u8>(i);
    if (byte <= blank) {
      i = skipBlanks(i);
      byte = load<u8>(i);
    }
    let start = i;
    let stop: usize;
    let kind: u8;
    if (byte === quote) {
      start = i + 1;
      i = start;
      let separators: i32 = 0;
      kind = isText;
      while (true) {
        const bytes = v128.load(i);
        const ending = endings(bytes);
        if (ending === 0) {
          separators |= separatorsIn(bytes);
          i += 16;
          continue;
        }
        separators |= separatorsIn(bytes) & ((ending - 1) & ~ending);
        i += ctz(ending);
        byte = load<u8>(i);
        if (byte === quote) break;
        if (byte !== backslash) return unexpected(i);
        kind |= withEscape;
        i = skipEscape(i);
        if (i <= incomplete) return i;
      }
      if (separators !== 0) kind |= withSeparator;
      stop = i;
      i += 1;
    } else {
      if (byte <= 0x39) {
        kind = isNumber;
        i = skipNumber(i);
      } else if (byte === openBrace) {
        if (reader.level === 1 && number <= reader.requested) {
          const nested = load<usize>(reader.nested + (number << 2));
          if (nested === 0) return unusual;
          kind = isObject;
          const filled = reader.filledCount;
          store<u32>(reader.filled + (filled << 2), number);
          reader.filledCount = filled + 1;
          i = readMembers(changetype<Reader>(nested), i + 1);
        } else {
          kind = isJson;
          i = skipValue(i, reader.level);
        }
      } else if (byte === openBracket) {
        kind = isList;
        i = skipEntries(i + 1, reader.level + 1);
      } else {
        kind = byte === 0x6e ? isNull : byte === 0x74 ? isTrue : isFalse;
        i = skipLiteral(i);
      }
      if (i <= incomplete) return i;
      stop = i;
    }
    store<u8>(kinds + number, kind);
    store<u32>(starts + (number << 2), <u32>start);
    store<u32>(ends + (number << 2), <u32>stop);
    store<u32>(order + (members << 2), number);
    members += 1;
    byte = load<u8>(i);
    if (byte <= blank) {
      i = skipBlanks(i);
      byte = load<u8>(i);
    }
    if (byte === comma) {
      i += 1;
      if (load<u8>(i) !== quote) i = skipBlanks(i);
    } else if (byte === closeBrace) {
      reader.members = members;
      return i + 1;
    } else {
      return unexpected(i);
    }
  }
}

function clear(reader: Reader): void {
  const end = reader.kinds + reader.names + 1;
  for (let at = reader.kinds; at < end; at += 16) v128.store(at, i64x2.splat(0));
  reader.members = 0;
  while (reader.filledCount > 0) {
    reader.filledCount -= 1;
    const number = load<u32>(reader.filled + (reader.filledCount << 2));
    const nested = load<usize>(reader.nested + (number << 2));
    if (nested !== 0) clear(changetype<Reader>(nested));
  }
}

function isSame(a: usize, b: usize, length: usize): bool {
  while (true) {
    const differs = ~i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b))) & 0xffff;
    if (length <= 16) return (differs & ((1 << (<i32>length)) - 1)) === 0;
    if (differs !== 0) return false;
    a += 16;
    b += 16;
    length -= 16;
  }
}

let behindName: usize = 0;

/** The number of a known name that is spelled without escapes; 0 for any other. Sets `behindName`, if only to where it stopped. */
function lookUp(reader: Reader, from: usize): u32 {
  let hash: u32 = 0;
  let i = from;
  while (true) {
    const byte = load<u8>(i);
    if (byte === quote) break;
    behindName = i;
    if (byte < blank || byte === backslash) return 0;
    hash = hash * 31 + byte;
    i += 1;
  }
  behindName = i + 1;
  const length = <u32>(behindName - from);
  let place = (hash ^ (hash >>> 15)) & reader.tableMask;
  while (true) {
    const number = load<u32>(reader.table + (place << 2));
    if (number === 0) return 0;
    const starts = reader.nameStarts + (number << 2);
    const start = load<u32>(starts);
    if (load<u32>(starts, 4) - start === length && isSame(from, reader.pool + start, length)) return number;
    place = (place + 1) & reader.tableMask;
  }
}

/** Bits of the bytes that end a run of plain text: quotes, backslashes and control characters. */
function endings(bytes: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(quote)), i8x16.eq(bytes, i8x16.splat(backslash))),
      i8x16.lt_u(bytes, i8x16.splat(blank)),
    ),
  );
}

/** Bits of the bytes that separate cells: commas, and the semicolons of some spreadsheets. */
function separatorsIn(bytes: v128): i32 {
  return i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(comma)), i8x16.eq(bytes, i8x16.splat(semicolon))));
}

function skipBlanks(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte !== blank && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
}

function skipString(at: usize): usize {
  while (true) {
    const ending = endings(v128.load(at));
    if (ending === 0) {
      at += 16;
      continue;
    }
    at += ctz(ending);
    const byte = load<u8>(at);
    if (byte === quote) return at + 1;
    if (byte !== backslash) return unexpected(at);
    at = skipEscape(at);
    if (at <= incomplete) return at;
  }
}

function skipEscape(at: usize): usize {
  const letter = load<u8>(at, 1);
  if (letter === 0x75) {
    for (let i: usize = 2; i < 6; i += 1) if (!isHexDigit(load<u8>(at + i))) return unexpected(at + i);
    return at + 6;
  }
  return shortEscape(letter) !== 0 ? at + 2 : unexpected(at + 1);
}

/** The character of an escape of one letter; 0 for any other letter. */
function shortEscape(letter: u8): u8 {
  switch (letter) {
    case quote:
    case backslash:
    case 0x2f:
      return letter;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    default:
      return 0;
  }
}

function isDigit(byte: u8): bool {
  return <u8>(byte - zero) <= 9;
}

function isHexDigit(byte: u8): bool {
  return isDigit(byte) || <u8>((byte | 0x20) - 0x61) < 6;
}

function skipDigits(at: usize): usize {
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}

function skipNumber(at: usize): usize {
  let i = load<u8>(at) === minus ? at + 1 : at;
  if (!isDigit(load<u8>(i))) return unexpected(i);
  i = load<u8>(i) === zero ? i + 1 : skipDigits(i + 1);
  if (load<u8>(i) === dot) {
    if (!isDigit(load<u8>(i, 1))) return unexpected(i + 1);
    i = skipDigits(i + 2);
  }
  if ((load<u8>(i) | 0x20) === 0x65) {
    const sign = load<u8>(i, 1);
    i += sign === minus || sign === 0x2b ? 2 : 1;
    if (!isDigit(load<u8>(i))) return unexpected(i);
    i = skipDigits(i + 1);
  }
  return i;
}

function skipLiteral(at: usize): usize {
  const word = load<u32>(at);
  if (word === wordNull || word === wordTrue) return at + 4;
  if (load<u8>(at) === 0x66 && load<u32>(at, 1) === wordAlse) return at + 5;
  // A word that is cut off takes the slow way.
  return at >= inputEnd ? incomplete : unusual;
}

function skipValue(at: usize, level: u32): usize {
  const byte = load<u8>(at);
  if (byte === quote) return skipString(at + 1);
  if (byte === openBrace) return skipMembers(at + 1, level + 1);
  if (byte === openBracket) return skipEntries(at + 1, level + 1);
  return byte <= 0x39 ? skipNumber(at) : skipLiteral(at);
}

function skipEntries(at: usize, level: u32): usize {
  if (level > maxNesting) return unusual;
  let i = skipBlanks(at);
  if (load<u8>(i) === closeBracket) return i + 1;
  while (true) {
    i = skipValue(i, level);
    if (i <= incomplete) return i;
    i = skipBlanks(i);
    const byte = load<u8>(i);
    if (byte === closeBracket) return i + 1;
    if (byte !== comma) return unexpected(i);
    i = skipBlanks(i + 1);
  }
}

function skipMembers(at: usize, level: u32): usize {
  if (level > maxNesting) return unusual;
  let i = skipBlanks(at);
  if (load<u8>(i) === closeBrace) return i + 1;
  while (true) {
    if (load<u8>(i) !== quote) return unexpected(i);
    i = skipString(i + 1);
    if (i <= incomplete) return i;
    i = skipBlanks(i);
    if (load<u8>(i) !== colon) return unexpected(i);
    i = skipValue(skipBlanks(i + 1), level);
    if (i <= incomplete) return i;
    i = skipBlanks(i);
    const byte = load<u8>(i);
    if (byte === closeBrace) return i + 1;
    if (byte !== comma) return unexpected(i);
    i = skipBlanks(i + 1);
  }
}

/** Where the slots of a column's values are. */
@unmanaged
class Column {
  kind: usize;
  start: usize;
  end: usize;
  /** 1 if it is known that the column holds objects as JSON; the first one is unusual. */
  holdsObjects: u32;
}

/**
 * Writes the cells of columns from `first` on, each after its comma, as `csv-cells.ts` does. Returns the address behind
 * the last. It stops before a cell that is unusual, after its comma, and stores its column at `stopped`.
 */
export function writeCells(columns: usize, first: u32, count: u32, out: usize, stopped: usize): usize {
  for (let c = first; c < count; c += 1) {
    if (c > 0) {
      store<u8>(out, comma);
      out += 1;
    }
    const column = changetype<Column>(columns + c * offsetof<Column>());
    const kind = load<u8>(column.kind);
    if (kind <= isNull || kind === isObject) continue;
    const start = <usize>load<u32>(column.start);
    const end = <usize>load<u32>(column.end);
    let behind = unusual;
    if (kind <= isNumber) {
      behind = copy(out, start, end - start);
    } else if (kind >= isText) {
      if (start === end) continue;
      if (!mayRun(load<u8>(start))) {
        if (kind === isText) {
          behind = copy(out, start, end - start);
        } else if (kind === (isText | withSeparator)) {
          store<u8>(out, quote);
          behind = copy(out + 1, start, end - start);
          store<u8>(behind, quote);
          behind += 1;
        } else {
          behind = writeEscaped(out, start, end, kind);
        }
      }
    } else if (kind === isList) {
      behind = writeList(out, start + 1, false);
    } else if (column.holdsObjects !== 0) {
      behind = writeJson(out, start, end);
    }
    if (behind === unusual) {
      store<u32>(stopped, c);
      return out;
    }
    out = behind;
  }
  store<u32>(stopped, count);
  return out;
}

/** True for a first byte that may make a spreadsheet run the text as a formula: `0xef` begins the full-width forms. */
function mayRun(byte: u8): bool {
  return (
    byte === 0x3d ||
    byte === 0x2b ||
    byte === minus ||
    byte === 0x40 ||
    byte === 0x09 ||
    byte === 0x0a ||
    byte === 0x0d ||
    byte === 0xef
  );
}

/** Copies bytes, and up to fifteen more. */
function copy(to: usize, from: usize, length: usize): usize {
  const behind = to + length;
  do {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  } while (to < behind);
  return behind;
}

/** The code unit in `\u1234`, from its backslash; 0 for another escape. */
function codeUnit(at: usize): u32 {
  if (load<u8>(at, 1) !== 0x75) return 0;
  let unit: u32 = 0;
  for (let i: usize = 2; i < 6; i += 1) {
    const digit = load<u8>(at + i);
    unit = (unit << 4) | (isDigit(digit) ? digit - zero : (digit | blank) - 0x57);
  }
  return unit;
}

/** Writes a character as UTF-8. A lone surrogate is not a character and becomes U+FFFD. */
function writeCharacter(out: usize, sent: u32): usize {
  const code: u32 = sent >= 0xd800 && sent < 0xe000 ? 0xfffd : sent;
  if (code < 0x80) {
    store<u8>(out, <u8>code);
    return out + 1;
  }
  if (code < 0x800) {
    store<u8>(out, <u8>(0xc0 | (code >> 6)));
    store<u8>(out, <u8>(0x80 | (code & 0x3f)), 1);
    return out + 2;
  }
  if (code < 0x10000) {
    store<u8>(out, <u8>(0xe0 | (code >> 12)));
    store<u8>(out, <u8>(0x80 | ((code >> 6) & 0x3f)), 1);
    store<u8>(out, <u8>(0x80 | (code & 0x3f)), 2);
    return out + 3;
  }
  store<u8>(out, <u8>(0xf0 | (code >> 18)));
  store<u8>(out, <u8>(0x80 | ((code >> 12) & 0x3f)), 1);
  store<u8>(out, <u8>(0x80 | ((code >> 6) & 0x3f)), 2);
  store<u8>(out, <u8>(0x80 | (code & 0x3f)), 3);
  return out + 4;
}

function writeEscaped(out: usize, start: usize, end: usize, kind: u8): usize {
  let quoted = (kind & withSeparator) !== 0;
  for (let i = start; i < end; ) {
    const escaped = i8x16.bitmask(i8x16.eq(v128.load(i), i8x16.splat(backslash)));
    if (escaped === 0) {
      i += 16;
      continue;
    }
    i += ctz(escaped);
    if (i >= end) break;
    const letter = load<u8>(i, 1);
    const unit: u32 = letter === 0x75 ? codeUnit(i) : shortEscape(letter);
    if (unit === quote || unit === comma || unit === semicolon || unit === 0x0a || unit === 0x0d)
      quoted = true;
    if (i === start && (unit >= 0xff00 || (unit < 0x80 && mayRun(<u8>unit)))) return unusual;
    i += letter === 0x75 ? 6 : 2;
  }
  if (quoted) {
    store<u8>(out, quote);
    out += 1;
  }
  for (let i = start; i < end; ) {
    const bytes = v128.load(i);
    const escaped = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(backslash)));
    v128.store(out, bytes);
    const plain: usize = escaped === 0 ? 16 : ctz(escaped);
    if (plain >= end - i) {
      out += end - i;
      break;
    }
    i += plain;
    out += plain;
    if (escaped === 0) continue;
    const letter = load<u8>(i, 1);
    let unit: u32 = letter;
    if (letter === 0x75) {
      unit = codeUnit(i);
      i += 6;
      if (unit >= 0xd800 && unit < 0xdc00 && load<u8>(i) === backslash) {
        const next = codeUnit(i);
        if (next >= 0xdc00 && next < 0xe000) {
          unit = 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
          i += 6;
        }
      }
    } else {
      unit = shortEscape(letter);
      i += 2;
    }
    out = writeCharacter(out, unit);
    if (unit === quote) {
      store<u8>(out, quote);
      out += 1;
    }
  }
  if (quoted) {
    store<u8>(out, quote);
    out += 1;
  }
  return out;
}

/** An object with members and without escapes, as JSON without blanks. */
function writeJson(out: usize, start: usize, end: usize): usize {
  let i = skipBlanks(start + 1);
  if (load<u8>(i) === closeBrace) return unusual;
  store<u16>(out, ((<u16>openBrace) << 8) | quote);
  out += 2;
  while (i < end) {
    const byte = load<u8>(i);
    i += 1;
    if (byte <= blank) continue;
    store<u8>(out, byte);
    out += 1;
    if (byte !== quote) continue;
    store<u8>(out, quote);
    out += 1;
    while (true) {
      const bytes = v128.load(i);
      const ending = endings(bytes);
      v128.store(out, bytes);
      if (ending === 0) {
        i += 16;
        out += 16;
        continue;
      }
      i += ctz(ending);
      out += ctz(ending);
      break;
    }
    if (load<u8>(i) !== quote) return unusual;
    i += 1;
    store<u16>(out, ((<u16>quote) << 8) | quote);
    out += 2;
  }
  store<u8>(out, quote);
  return out + 1;
}

/** A list of plain texts, numbers, `true`, `false` and `null`. */
function writeList(out: usize, from: usize, quoted: bool): usize {
  let at = out;
  if (quoted) {
    store<u8>(at, quote);
    at += 1;
  }
  const first = at;
  let i = skipBlanks(from);
  if (load<u8>(i) === closeBracket) return out;
  while (true) {
    const byte = load<u8>(i);
    let start = i;
    let stop: usize;
    if (byte === quote) {
      start = i + 1;
      i = start;
      while (true) {
        const bytes = v128.load(i);
        const ending = endings(bytes);
        const separators = separatorsIn(bytes);
        if ((ending === 0 ? separators : separators & ((ending - 1) & ~ending)) !== 0 && !quoted)
          return writeList(out, from, true);
        if (ending !== 0) {
          i += ctz(ending);
          break;
        }
        i += 16;
      }
      if (load<u8>(i) !== quote) return unusual;
      stop = i;
      i += 1;
    } else if (byte === openBrace || byte === openBracket) {
      return unusual;
    } else {
      i = byte <= 0x39 ? skipNumber(i) : skipLiteral(i);
      stop = byte === 0x6e ? start : i;
    }
    if (stop > start) at = copy(at, start, stop - start);
    i = skipBlanks(i);
    if (load<u8>(i) === closeBracket) break;
    i = skipBlanks(i + 1);
    if (!quoted) return writeList(out, from, true);
    store<u16>(at, 0x203b);
    at += 2;
  }
  if (at === first) return out;
  if (mayRun(load<u8>(first))) return unusual;
  if (quoted) {
    store<u8>(at, quote);
    at += 1;
  }
  return at;
}
