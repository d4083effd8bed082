package e2e

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestForms: what several clients have is of one form in all: docs/stability.md.
func TestForms(t *testing.T) {
	limiters, bundles, batches := 0, 0, 0
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			name := string(service) + "." + m.Name
			switch {
			case m.Name == "Limiter":
				limiters++
				require.Equal(t, reflect.TypeFor[func(string) ratelimit.Limiter](), withoutReceiver(m.Type), name)
			case m.Name == "SendBundle":
				bundles++
				sent := m.Type.Out(0).Elem()
				require.Equal(t, "Sent", sent.Name(), name)
				for _, field := range []string{"Signature", "BundleID", "Raw"} {
					require.Contains(t, fieldNames(sent), field, name)
				}
			case strings.HasPrefix(m.Name, "Get") && takesTexts(m.Type):
				batches++
				require.Regexp(t, `(Batch|Prices)$`, m.Type.Out(0).Elem().Name(), name)
			}
		}
	}
	require.Equal(t, []int{11, 2, 4}, []int{limiters, bundles, batches})
}

func withoutReceiver(method reflect.Type) reflect.Type {
	in, out := []reflect.Type(nil), []reflect.Type(nil)
	for i := 1; i < method.NumIn(); i++ {
		in = append(in, method.In(i))
	}
	for t := range method.Outs() {
		out = append(out, t)
	}
	return reflect.FuncOf(in, out, method.IsVariadic())
}

func fieldNames(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// takesTexts reports a list of ids.
func takesTexts(method reflect.Type) bool {
	for in := range method.Ins() {
		if in == reflect.TypeFor[[]string]() {
			return true
		}
	}
	return false
}
