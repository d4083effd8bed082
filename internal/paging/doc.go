// Package paging turns lists that come in pages into iterators, and batches
// that are too large for one call into several.
//
// An iterator asks for a page only when the loop has come to its first record,
// and starts again from the beginning each time it is ranged over. It ends at
// the first error, which is its last element. What a fetch function asks for
// beside the place of the page is its own copy of the caller's request.
package paging
