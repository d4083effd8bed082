// Package paging turns lists that come in pages into iterators, and splits
// batches that are too large for a call:
//
//	return paging.Offset(req.Offset, req.Limit, func(offset, limit int) ([]Event, int, error) {
//		req := req // the caller's request does not change
//		req.Offset, req.Limit = offset, limit
//		page, err := c.ListHistory(ctx, wallet, req, opts...)
//		...
//	})
//
// [Offset], [Pages], [Tokens] and [Backwards] are for the four ways in which the
// services page. An iterator requests a page when the loop needs its first
// record, and starts again each time it is ranged over. It ends after the first
// error, which is its last element, but for a [walletfi.RecordError]: that is yielded
// in the place of a record that could not be read, and the iteration goes on. [Split] is for batches.
package paging
