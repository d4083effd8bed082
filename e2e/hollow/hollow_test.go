package hollow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
)

// hollow is a row of the table: one call, with an answer as the service
// documents it.
type hollow struct {
	service    sandbox.Service
	route      string // method and pattern, as the sandbox has it
	documented string
	payload    string // member of documented that holds the result, if one does
	found      string // place of a member that is declared as "*", as Says has it
	more       int    // further requests that the call makes to settle a doubt
	named      bool   // JSON without an id, or a book without sides, is kept, and an error says so
	listed     bool   // and so is JSON without a list
	calls      []wiretest.Call
}

// hollows are the rows of a service.
var hollows = map[sandbox.Service]func(t *testing.T) []hollow{}

// rows are the rows of one service.
type rows struct {
	service sandbox.Service
	rows    []hollow
}

// add adds a row of a method with what follows its context.
func (r *rows) add(route, documented string, method any, args ...any) *hollow {
	r.rows = append(r.rows, hollow{
		service: r.service, route: route, documented: documented, calls: []wiretest.Call{wiretest.Of(method, args...)},
	})
	return &r.rows[len(r.rows)-1]
}

// also adds a second call of the route, which must end as the first one does.
func (row *hollow) also(method any, args ...any) *hollow {
	row.calls = append(row.calls, wiretest.Of(method, args...))
	return row
}

// call makes the calls of the route.
func (row hollow) call(ctx context.Context, o walletfi.Options, opts ...walletfi.CallOption) error {
	client, err := clients[row.service](o)
	if err != nil {
		return err
	}
	first := row.calls[0].Error(ctx, client, opts...)
	for _, call := range row.calls[1:] {
		first = both(first, call.Error(ctx, client, opts...))
	}
	return first
}

// TestHollowAnswers gives every call each answer that says nothing, and holds
// the error to what the call declares. Its log is the table.
func TestHollowAnswers(t *testing.T) {
	routes := map[string]bool{}
	for _, route := range flows.Start(t, sandbox.Config{}).Routes() {
		if route.Service != sandbox.RPC {
			routes[flows.CallName(string(route.Service), route.Method, route.Pattern)] = true
		}
	}
	calls, answers, wrong := 0, 0, 0
	lenient := map[declared.Form][]string{}
	for _, service := range sandbox.Services() {
		require.Contains(t, hollows, service, "no rows")
		for _, row := range hollows[service](t) {
			calls++
			method, pattern, _ := strings.Cut(row.route, " ")
			name := flows.CallName(string(service), method, pattern)
			if !routes[name] {
				t.Errorf("%s: no such route, or two rows of it", name)
			}
			delete(routes, name)
			call, cells, bad := row.run(t)
			answers = max(answers, cells)
			wrong += bad
			if call.Answer.Form != declared.FormSays {
				lenient[call.Answer.Form] = append(lenient[call.Answer.Form], string(service)+"."+call.Op+": "+call.Answer.Why)
			}
		}
	}
	for name := range routes {
		t.Errorf("no row of %s", name)
	}
	for _, form := range []struct {
		form declared.Form
		what string
	}{
		{declared.FormSilent, "an empty answer is a success"},
		{declared.FormText, "any text is an answer but an error or a page of HTML"},
		{declared.FormDocument, "any JSON is an answer but an error"},
	} {
		t.Logf("%s:\n\t%s", form.what, strings.Join(lenient[form.form], "\n\t"))
	}
	t.Logf("%d calls, %d answers each, %d wrong", calls, answers, wrong)
}

// run gives a call all answers, and returns what it declares.
func (row hollow) run(t *testing.T) (call transport.Call, cells, wrong int) {
	t.Helper()
	call, _, err := row.ask(t, http.StatusOK, row.documented)
	name := fmt.Sprintf("%s.%s", row.service, call.Op)
	if problem := call.Answer.Problem(); problem != nil || call.Effect == 0 {
		t.Errorf("%s %v", name, problem)
		return call, 0, 1
	}
	if err != nil {
		t.Errorf("%s, the documented answer: %v", name, err)
		wrong++
	}
	var line, requests []string
	for _, cell := range row.cells(t, call.Answer) {
		cells++
		got := map[string]bool{}
		for i, body := range cell.bodies {
			_, sent, err := row.ask(t, cell.status, body)
			want := cell.want(row, call)
			got[want.name] = true
			requests = append(requests, fmt.Sprint(sent))
			if problem := want.check(err, call, body); problem != "" {
				t.Errorf("%s, %s (%s): %s, got %v", name, cell.name, body, problem, err)
				wrong++
			}
			if len(cell.names) > 0 && !names(err, cell.names[i]) {
				t.Errorf("%s, %s (%s): the error does not name %s: %v", name, cell.name, body, cell.names[i], err)
				wrong++
			}
			if least, most := 1, 1+row.more; sent < least || sent > most {
				t.Errorf("%s, %s: %d requests", name, cell.name, sent)
				wrong++
			}
		}
		line = append(line, strings.Join(sorted(got), "/"))
	}
	slices.Sort(requests)
	t.Logf("%-42s %-7s %-70s %s; requests: %s", name, effectName(call.Effect), call.Answer, strings.Join(line, " "), strings.Join(slices.Compact(requests), " or "))
	return call, cells, wrong
}

// ask makes the call against one answer. It returns what the call declares, and
// how many requests it made.
func (row hollow) ask(t *testing.T, status int, body string) (call transport.Call, sent int, err error) {
	t.Helper()
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: status, Body: body}}}
	told := false
	err = row.call(t.Context(), walletfi.Options{HTTPClient: carrier.Client()}, walletfi.CallOption(callopt.New(func(s *callopt.Settings) {
		s.Declared = func(_ string, declared any) {
			if !told {
				call, told = declared.(transport.Call), true
			}
		}
	})))
	require.True(t, told, "%s: no call: %v", row.route, err)
	return call, len(carrier.Seen), err
}

// names reports whether an error says which member is missing: itself, or as the
// cause of one that has the service's own message.
func names(err error, member string) bool {
	if r, ok := errors.AsType[*walletfi.ResponseError](err); ok && r.Cause != nil {
		return strings.Contains(r.Cause.Error(), member)
	}
	return err != nil && strings.Contains(err.Error(), member)
}

func effectName(e transport.Effect) string {
	return map[transport.Effect]string{
		transport.Read: "read", transport.Build: "build", transport.Set: "set", transport.Relay: "relay", transport.Create: "create",
	}[e]
}

func sorted(set map[string]bool) []string {
	var all []string
	for name := range set {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// outcome is how a call must end.
type outcome struct {
	name  string
	kinds []error // of which the error answers to one; none for a success
	not   []error
}

func (o outcome) check(err error, call transport.Call, body string) string {
	if len(o.kinds) == 0 {
		if err != nil {
			return "is an answer"
		}
		return ""
	}
	if !slices.ContainsFunc(o.kinds, func(kind error) bool { return errors.Is(err, kind) }) {
		return fmt.Sprintf("must be one of %v", o.kinds)
	}
	for _, kind := range o.not {
		if errors.Is(err, kind) {
			return fmt.Sprintf("must not be %v", kind)
		}
	}
	return ""
}

// mints puts the mints of the rows into an answer.
func mints(text string) string {
	return strings.NewReplacer("$IN", mintIn, "$OUT", mintOut).Replace(text)
}

// both is the error of two calls of one route, which must agree.
func both(a, b error) error {
	if (a == nil) != (b == nil) {
		return fmt.Errorf("the two calls of the route differ: %v, %v", a, b)
	}
	return errors.Join(a, b)
}
