// Package wire decodes what services send. It compiles a reader for each type from its
// json and wire tags, and reads a body in one pass: as encoding/json does if the body
// fits the type, and with the harmless differences undone if it does not. Live services
// drift from their documents; a field that nothing hangs on must not cost a page.
//
// The harmless differences are these:
//
//   - a number or bool for a text is its text;
//   - a number or bool in quotes is one; 0 and 1 are bools; 5.0 and 1e2 are integers,
//     1.5 is not;
//   - an empty text for a number or bool, an empty array for an object, and an empty
//     object for an array leave the zero value;
//   - a value that does not fit at all leaves its field, or its place in a map, at
//     zero, or a decimal with its text, unless the field is strict. The nearest struct around it that has a field
//     Raw gets its JSON there;
//   - an element that cannot be read, of a list tagged wire:"records", is left out and
//     reported;
//   - of a member that comes in more than one case, the one that is written as declared
//     counts. Of two that are written alike the last one does, unless the field may
//     come only once.
//
// The wire tag of a field has these words, with commas between them:
//
//   - required: the caller acts on it, and empty it is [Missing], even in a list of records;
//   - present: it is documented as always there, and 0 is an answer. A member that is absent,
//     null or an empty text makes the answer, or its record, unreadable;
//   - strict: a value that does not fit makes the answer, or its record, unreadable;
//   - once: so does a member that comes twice;
//   - records: a list of which each element is read on its own;
//   - raw: of a field Raw, which then always has the JSON of its struct;
//   - decides, min=0, max=1: a number, an amount, a time or a flag on which a caller would
//     trade, size, wait or sign, and its bounds; free: one on which no caller would, which is zero
//     if it is out of its bounds. Those of a struct are those of its decimals;
//   - positive: its least bound is above 0;
//   - optional: it decides, and some of the routes that answer with its type leave it out;
//   - said: it decides, and must be there: absent, null or empty it is a breach;
//   - null: it must be there, and null says that it is not known, or that there is none;
//   - key, signature: it decides, and is 32 or 64 bytes in base58;
//   - word: of a text that decides, nothing is one that is a number or has neither a letter nor a
//     digit; a text of a type of its own is always one;
//   - hex=20: it decides, and is so many bytes in hex with 0x, any number of them if that is 0;
//   - code: it decides, and is base58 or base64;
//   - identity: it tells a record from others, with all fields of that tag; a record that has them as an
//     earlier one of its list is left out, and reported;
//   - opaque: of those but code, one that the documentation calls so. It may be any identifier, and
//     another text is kept.
//
// What is required or present is strict too, and decides. What is strict, and a list of
// records, may come only once. A type that is or holds an amount, a transaction or a strict
// field is strict without a tag.
//
// A member that decides must be a plain value within its bounds, once. If it is not so,
// that is a [Breach]: the answer cannot be read. In a list of records and in a map
// the record is kept, and the breach is kept with it, in a walletfi.RecordError; so is an
// answer of which only opaque texts are wrong. An integer
// that decides has no exponent; a text is one, or a number; no null is in a list; a time is from the year 2000 on,
// and before 2200 if it is a number. A time that is free is zero if it is out of that range, or has an exponent.
// TestDeclared in e2e holds each number, time and flag to be declared.
//
// What does not decide makes no error: the Reporter gets a [Breach] that is Free if it is of another kind,
// out of its bounds or repeated.
//
// A struct whose field Raw is tagged raw has an UnmarshalJSON that is [Decode] and is not
// called. A type that decodes itself in any other way gets its bytes untouched. A body
// nests at most [MaxDepth] deep.
package wire
