package e2e

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
)

// TestRequestConventions: in every method of every client, the wallet that acts is
// the request's Owner, a tolerance is a walletfi.Slippage, and a parameter that the
// package does not know comes from walletfi.WithQuery.
func TestRequestConventions(t *testing.T) {
	builders, slippages := 0, 0
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			t.Run(string(service)+"."+m.Name, func(t *testing.T) {
				require.Empty(t, requestStrays(m))
				if strings.HasPrefix(m.Name, "Build") {
					builders++
				}
				for f := range fieldsOf(m.Type) {
					if f.Type == reflect.TypeFor[walletfi.Slippage]() {
						slippages++
					}
				}
			})
		}
	}
	require.Equal(t, 28, builders)
	require.Equal(t, 22, slippages)
}

// TestRequestConventionsSeeStrays: each way to stray from the conventions is seen.
func TestRequestConventionsSeeStrays(t *testing.T) {
	client := reflect.TypeFor[*strayRequests]()
	for m := range client.Methods() {
		t.Run(m.Name, func(t *testing.T) { require.Len(t, requestStrays(m), 1) })
	}
	require.Equal(t, 8, client.NumMethod())
}

// TestCallOptionIsOpaque: programs cannot see into an option.
func TestCallOptionIsOpaque(t *testing.T) {
	option := reflect.TypeFor[walletfi.CallOption]()
	require.Equal(t, reflect.Struct, option.Kind())
	for _, field := range reflect.VisibleFields(option) {
		require.False(t, field.IsExported(), field.Name)
	}
}

// ownerNames are other names for the wallet that acts.
var ownerNames = []string{"User", "Wallet", "UserAccount", "Payer", "UserPublicKey", "Signer"}

// requestStrays says how the parameters and results of a method stray.
func requestStrays(m reflect.Method) []string {
	var strays []string
	owner := false
	for in := range m.Type.Ins() {
		if in == reflect.TypeFor[url.Values]() {
			strays = append(strays, "takes url.Values")
		}
	}
	for f, of := range fieldsOf(m.Type) {
		switch {
		case f.Type == reflect.TypeFor[url.Values]():
			strays = append(strays, of+"."+f.Name+" is url.Values")
		case strings.HasSuffix(strings.TrimSuffix(f.Name, "Bps"), "Slippage") && f.Type != reflect.TypeFor[walletfi.Slippage]() && f.Name != "PositiveSlippage":
			strays = append(strays, of+"."+f.Name+" is no walletfi.Slippage") // PositiveSlippage is a surplus, not a tolerance
		case f.Name == "Owner" && strings.HasSuffix(of, "Request") && f.Type.Kind() == reflect.String:
			owner = true
		}
		if strings.HasSuffix(of, "Request") && slices.Contains(ownerNames, f.Name) {
			strays = append(strays, of+"."+f.Name+" should be Owner")
		}
	}
	if !strings.HasPrefix(m.Name, "Build") {
		return strays
	}
	for in := range m.Type.Ins() {
		if in.Kind() == reflect.String {
			strays = append(strays, "takes a positional text beside its request")
		}
	}
	if !owner {
		strays = append(strays, "the request has no Owner")
	}
	return strays
}

// fieldsOf yields the fields of the structs that a method takes and returns, and
// the name of the struct.
func fieldsOf(m reflect.Type) func(func(reflect.StructField, string) bool) {
	return func(yield func(reflect.StructField, string) bool) {
		for _, list := range []func(func(reflect.Type) bool){m.Ins(), m.Outs()} {
			for t := range list {
				if t.Kind() == reflect.Pointer {
					t = t.Elem()
				}
				if t.Kind() != reflect.Struct || t.Name() == "Client" {
					continue
				}
				for _, f := range reflect.VisibleFields(t) {
					if f.IsExported() && !yield(f, t.Name()) {
						return
					}
				}
			}
		}
	}
}

type (
	valuesRequest   struct{ Params url.Values }
	numberRequest   struct{ SlippageBps int }
	optionalRequest struct{ PredictionSlippage *int }
	userRequest     struct{ Owner, User string }
	nobodyRequest   struct{ Mint string }
	ownedRequest    struct{ Owner string }
	slippageResult  struct{ Slippage uint16 }
)

// strayRequests has a method for each way to stray.
type strayRequests struct{}

func (*strayRequests) GetByValues(url.Values)                        {}
func (*strayRequests) GetByParams(valuesRequest)                     {}
func (*strayRequests) QuoteNumber(numberRequest)                     {}
func (*strayRequests) QuoteOptional(optionalRequest)                 {}
func (*strayRequests) GetSlippage(ownedRequest) (r *slippageResult)  { return nil }
func (*strayRequests) BuildUser(userRequest)                         {}
func (*strayRequests) BuildNobody(nobodyRequest)                     {}
func (*strayRequests) BuildPositional(user string, req ownedRequest) {}
