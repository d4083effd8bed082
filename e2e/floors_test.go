package e2e

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// floorRow is a request to a builder, and what comes back of it.
type floorRow struct {
	name    string   // of the builder, and after a comma of the request
	asked   string   // what the request says of what comes back
	answers []string // honest ones, in the order of the calls
	build   func(ctx context.Context, at walletfi.Options) (walletfi.Intent, error)

	receive []walletfi.Asset // what the intent must expect; none by nature if it is nil
	after   *time.Duration   // when
	nature  string           // why nothing comes back, in the documentation's words

	lies []lie // answers that promise less, or take more
	mute bool  // no answer names what comes back: there is nothing to hold
}

// lie is a part of an honest answer, and what stands in its place.
type lie struct{ honest, told string }

func (r floorRow) builder() string {
	name, _, _ := strings.Cut(r.name, ",")
	return name
}

// ask builds with these answers.
func (r floorRow) ask(t *testing.T, answers []string) (walletfi.Intent, error) {
	t.Helper()
	carrier := &wiretest.Carrier{}
	for _, body := range answers {
		carrier.Answers = append(carrier.Answers, wiretest.Answer{Status: 200, Body: body})
	}
	return r.build(t.Context(), walletfi.Options{HTTPClient: carrier.Client()})
}

// TestFloors: over all builders, what is asked for, what the answer must say of it, and what
// the intent expects to come back. An answer that promises less, or takes more, than the
// request allows is ErrMismatch. A builder without a row fails.
func TestFloors(t *testing.T) {
	found, floors := map[string]bool{}, map[string]bool{}
	rows := slices.Concat(swapFloors(), routedFloors(), positionFloors(), noFloors())
	slices.SortFunc(rows, func(a, b floorRow) int { return strings.Compare(a.name, b.name) })
	for _, r := range rows {
		found[r.builder()] = true
		if len(r.receive) > 0 {
			floors[r.builder()] = true
		}
		t.Run(r.name, r.test)
	}
	missing := slices.DeleteFunc(allBuilders(t), func(name string) bool { return found[name] })
	calls := 0
	for _, service := range catalogue.Services() {
		calls += len(service.Operations)
	}
	t.Logf("calls=%d builders=%d floors=%d none_by_nature=%d missing=%d",
		calls, len(found)+len(missing), len(floors), len(found)-len(floors), len(missing))
	require.Empty(t, missing, "builders without a row")
	require.Len(t, found, len(allBuilders(t)), "rows of no builder")
}

func (r floorRow) test(t *testing.T) {
	i, err := r.ask(t, r.answers)
	require.NoError(t, err)
	assert.Equal(t, r.receive, i.Receive)
	assert.Equal(t, r.after, i.ReceiveAfter)
	assert.Equal(t, len(r.receive) == 0, r.nature != "", "a reason for none, and for none only")
	assert.Equal(t, len(r.receive) > 0 && len(r.lies) == 0, r.mute, "an answer that names what comes back is held")
	said := []string{}
	for _, l := range r.lies {
		said = append(said, l.honest+" (not "+l.told+")")
		at := slices.IndexFunc(r.answers, func(answer string) bool { return strings.Contains(answer, l.honest) })
		require.GreaterOrEqual(t, at, 0, l.honest)
		answers := slices.Clone(r.answers)
		answers[at] = strings.Replace(answers[at], l.honest, l.told, 1)
		_, err := r.ask(t, answers)
		assert.ErrorIs(t, err, walletfi.ErrMismatch, "%s in place of %s", l.told, l.honest)
	}
	says := cmp.Or(strings.Join(said, ", "), "nothing")
	t.Logf("%s | asked: %s | answer: %s | intent: %s", r.name, cmp.Or(r.asked, "nothing"), says, r.carries())
}

// carries writes what the intent of the row expects.
func (r floorRow) carries() string {
	if r.nature != "" {
		return "nothing, by nature: " + r.nature
	}
	text := "at least"
	for _, a := range r.receive {
		text += " " + a.Amount.String() + " of " + a.Mint[:4]
	}
	if r.after != nil {
		text += ", later (" + r.after.String() + ")"
	}
	return text
}

// allBuilders are the methods of all clients whose names begin with Build.
func allBuilders(t *testing.T) (all []string) {
	t.Helper()
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			if strings.HasPrefix(m.Name, "Build") {
				all = append(all, string(service)+"."+m.Name)
			}
		}
	}
	slices.Sort(all)
	return all
}
