package paging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/walletfi/walletfi-go"
)

// Split calls do for parts of at most size items and returns the results in the
// order of items: part i begins at item i*size. At most parallel parts are under
// way at a time; they start in order. A size below 1 means a single part, a
// parallel below 1 means 1. An empty batch has no parts.
//
// If a part fails, the other parts go on. Split then returns a
// [*walletfi.PartialError], whose causes name the items of each failed part; the
// result still has what do returned with its error. After ctx has ended no part
// starts, and the parts that did not start fail with ctx.Err(). For a batch of a
// single part Split returns do's own error.
//
// tell, if it is not nil, is called after each part that has ended, one call at a
// time, with how many items are in such parts and how many there are.
func Split[In, Out any](
	ctx context.Context, items []In, size, parallel int,
	tell func(done, total int), do func(ctx context.Context, part []In) (Out, error),
) ([]Out, error) {
	if len(items) == 0 {
		return nil, nil
	}
	if size < 1 || size >= len(items) {
		out, err := do(ctx, slices.Clip(items))
		if tell != nil {
			tell(len(items), len(items))
		}
		return []Out{out}, err
	}
	parts := slices.Collect(slices.Chunk(items, size))
	outs, errs := make([]Out, len(parts)), make([]error, len(parts))
	over := progress{tell: tell, total: len(items)}
	var group errgroup.Group
	group.SetLimit(max(parallel, 1))
	for i, part := range parts {
		group.Go(func() error {
			if errs[i] = ctx.Err(); errs[i] == nil {
				outs[i], errs[i] = do(ctx, part)
			}
			over.add(len(part))
			return nil
		})
	}
	_ = group.Wait() // the parts' errors are in errs
	return outs, partial(parts, errs)
}

// progress counts the items of the parts that have ended.
type progress struct {
	tell  func(done, total int)
	total int

	mu   sync.Mutex // held while tell runs, so that what it is told never falls
	done int
}

func (p *progress) add(items int) {
	if p.tell == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += items
	p.tell(p.done, p.total)
}

// partial returns nil if no part failed.
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
