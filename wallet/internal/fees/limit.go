package fees

import (
	"context"
	"slices"
)

// marginPercent is by how much a compute limit is above what was used: the same route does not
// always take the same way.
const marginPercent = 20

// Limits are the compute limits that a build asks for, one for each transaction, 0 for one of
// which nothing is known.
type Limits struct {
	Units []uint64
	Read  bool // the build took notice, so that it can set them
}

// LimitsFor are those of transactions that used so many units.
func LimitsFor(used []uint64) *Limits {
	l := &Limits{Units: slices.Clone(used)}
	for i, units := range l.Units {
		units = min(units, mostUnits)
		l.Units[i] = min(units+(units*marginPercent+99)/100, mostUnits)
	}
	return l
}

// Of are costs under the limits, as far as they are known.
func (l *Limits) Of(costs []Cost) []Cost {
	costs = slices.Clone(costs)
	for i, units := range l.Units {
		if i < len(costs) && units > 0 {
			costs[i].Units = units
		}
	}
	return costs
}

type limitsKey struct{}

// WithLimits has the builds under ctx ask for l.
func WithLimits(ctx context.Context, l *Limits) context.Context {
	return context.WithValue(ctx, limitsKey{}, l)
}

// LimitsFrom returns the limits that a build under ctx asks for, and notes that it did.
func LimitsFrom(ctx context.Context) []uint64 {
	l, ok := ctx.Value(limitsKey{}).(*Limits)
	if !ok {
		return nil
	}
	l.Read = true
	return slices.Clone(l.Units)
}
