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
//     zero, unless the field is strict. The nearest struct around it that has a field
//     Raw gets its JSON there;
//   - an element that cannot be read, of a list tagged wire:"records", is left out and
//     reported;
//   - of a member that comes in more than one case, the one that is written as declared
//     counts. Of two that are written alike the last one does, unless the field may
//     come only once.
//
// A field is strict if it is tagged wire:"strict", wire:"required" or wire:"present", or
// if its type is or holds an amount or a transaction, or a struct with such a field. A
// value that does not fit a strict field makes the answer unreadable, or the record of a
// list that is tagged wire:"records". So does a strict field, a list of records or a
// field tagged wire:"once" that comes twice.
//
// A field tagged wire:"required" is one that the caller acts on: see [Missing]. One that
// is tagged wire:"present" is documented as always there, and 0 is an answer: a member
// that is absent, null or an empty text makes the answer, or its record, unreadable.
//
// A struct whose field Raw is tagged wire:"raw" always has its JSON there; its
// UnmarshalJSON is [Decode] and is not called. A type that decodes itself in any other
// way gets its bytes untouched. A body nests at most [MaxDepth] deep.
package wire
