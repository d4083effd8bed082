package swap

import (
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
)

var errNothingFilled = errors.New("the order is closed, and no fill has an output")

// errAllFilled says that whoever reads the status alone would trade again.
var errAllFilled = errors.New("the order has failed or expired, and the fills have all of its amounts")

// count leaves each fill once, by its signature, and returns why the fills are not those
// of the order's totals. Before the order is closed, a total of 0 is not stated, and fills
// may be missing.
func (s *OrderStatus) count() error {
	var once []Fill
	for _, f := range s.Fills {
		at := slices.IndexFunc(once, func(o Fill) bool { return o.Signature != "" && o.Signature == f.Signature })
		if at < 0 {
			once = append(once, f)
			continue
		}
		if o := once[at]; o.InAmount != f.InAmount || o.OutAmount != f.OutAmount {
			return fmt.Errorf("two fills of %s have other amounts", f.Signature)
		}
	}
	if len(once) < len(s.Fills) {
		s.Fills = once
	}
	in := func(f Fill) walletfi.Amount { return f.InAmount }
	out := func(f Fill) walletfi.Amount { return f.OutAmount }
	if s.Status == OrderClosed && !slices.ContainsFunc(once, func(f Fill) bool { return f.OutAmount > 0 }) {
		return errNothingFilled
	}
	if err := errors.Join(s.adds("inAmount", s.InAmount, in), s.adds("outAmount", s.OutAmount, out)); err != nil {
		return err
	}
	undone := s.Status == OrderExpired || s.Status == OrderFailed
	if undone && s.InAmount > 0 && s.OutAmount > 0 && sum(once, in) == s.InAmount && sum(once, out) == s.OutAmount {
		return errAllFilled
	}
	return nil
}

// sum adds up what fills have of a total, which is no less.
func sum(fills []Fill, of func(Fill) walletfi.Amount) (all walletfi.Amount) {
	for _, f := range fills {
		all += of(f)
	}
	return all
}

// adds returns why the fills do not add up to a total.
func (s *OrderStatus) adds(field string, total walletfi.Amount, of func(Fill) walletfi.Amount) error {
	if total == 0 && s.Status != OrderClosed {
		return nil
	}
	left := total
	for _, f := range s.Fills {
		if of(f) > left {
			return fmt.Errorf("%s is %s, less than the fills have", field, total)
		}
		left -= of(f)
	}
	if left > 0 && s.Status == OrderClosed {
		return fmt.Errorf("%s is %s, more than the fills have", field, total)
	}
	return nil
}
