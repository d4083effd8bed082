package paging

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/walletfi/walletfi-go"
)

// Split does a batch in parts of at most size items, at most parallel of them
// at a time and begun in order, and returns what each part brought, in the
// order of items: part i begins at item i*size. A size below 1 means a single
// part, parallel below 1 means one after the other. Nothing is done for an
// empty batch.
//
// A part that fails stops no other. Its place in the result holds what do
// returned beside the error, and Split's own error is a
// *walletfi.PartialError, whose causes name the items of each part that
// failed. Once ctx has ended no part is begun; those that were not begun fail
// with ctx.Err(). A batch of a single part returns do's own error.
func Split[In, Out any](ctx context.Context, items []In, size, parallel int, do func(ctx context.Context, part []In) (Out, error)) ([]Out, error) {
	if len(items) == 0 {
		return nil, nil
	}
	if size < 1 || size >= len(items) {
		out, err := do(ctx, slices.Clip(items))
		return []Out{out}, err
	}
	parts := slices.Collect(slices.Chunk(items, size))
	outs, errs := make([]Out, len(parts)), make([]error, len(parts))
	var group errgroup.Group
	group.SetLimit(max(parallel, 1))
	for i, part := range parts {
		group.Go(func() error {
			if errs[i] = ctx.Err(); errs[i] == nil {
				outs[i], errs[i] = do(ctx, part)
			}
			return nil
		})
	}
	_ = group.Wait() // the parts' errors are in errs
	return outs, partial(parts, errs)
}

// partial is nil where no part failed.
func partial[In any](parts [][]In, errs []error) error {
	var failed walletfi.PartialError
	var causes []error
	for i, part := range parts {
		if errs[i] == nil {
			failed.Done += len(part)
		} else {
			if causes == nil {
				failed.First = failed.Total
			}
			causes = append(causes, fmt.Errorf("items %d to %d: %w", failed.Total, failed.Total+len(part)-1, errs[i]))
		}
		failed.Total += len(part)
	}
	if causes == nil {
		return nil
	}
	failed.Causes = errors.Join(causes...)
	return &failed
}
