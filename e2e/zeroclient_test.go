package e2e

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
)

// TestZeroClient: every method of a client that no New has made, zero or nil, returns an error
// that says so or what is wrong with the request, and none panics. A Limiter is nil.
func TestZeroClient(t *testing.T) {
	methods := 0
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			methods++
			t.Run(string(service)+"."+m.Name, func(t *testing.T) {
				zero, none := reflect.New(client.Elem()), reflect.Zero(client)
				call := func(of reflect.Value, plausible bool) []reflect.Value {
					return of.Method(m.Index).Call(argumentsFor(t.Context(), m.Type, plausible))
				}
				for i, of := range []reflect.Value{zero, zero, none, none} {
					plausible := i%2 == 1
					var results []reflect.Value
					require.NotPanics(t, func() { results = call(of, plausible) })
					switch m.Name {
					case "Limiter":
						require.True(t, results[0].IsNil())
					case "WSURL":
						require.Empty(t, results[0].String())
					default:
						require.Error(t, errorOf(results), "%v", plausible)
					}
				}
			})
		}
	}
	require.Greater(t, methods, 150)
}

// errorOf is the error of a call, or the first of its iterator.
func errorOf(results []reflect.Value) error {
	last := results[len(results)-1]
	if last.Kind() != reflect.Func {
		err, _ := last.Interface().(error)
		return err
	}
	for _, err := range last.Seq2() {
		if err, ok := err.Interface().(error); ok {
			return err
		}
	}
	return nil
}

// argumentsFor are the arguments of a method, its options left out: zero, or filled as far
// as their types say.
func argumentsFor(ctx context.Context, method reflect.Type, plausible bool) []reflect.Value {
	var all []reflect.Value
	for i := 1; i < method.NumIn(); i++ {
		in := method.In(i)
		switch {
		case in == reflect.TypeFor[context.Context]():
			all = append(all, reflect.ValueOf(ctx))
		case method.IsVariadic() && i == method.NumIn()-1:
		case plausible:
			v := reflect.New(in).Elem()
			fill(v, 4)
			all = append(all, v)
		default:
			all = append(all, reflect.Zero(in))
		}
	}
	return all
}

// fill sets what can be set to a value that could be one.
func fill(v reflect.Value, depth int) {
	if depth == 0 || !v.CanSet() {
		return
	}
	switch {
	case v.Type() == reflect.TypeFor[walletfi.Slippage]():
		v.Set(reflect.ValueOf(walletfi.SlippageBps(50)))
	case v.Type() == reflect.TypeFor[walletfi.Secret]():
		v.Set(reflect.ValueOf(walletfi.NewSecret("secret")))
	case v.Kind() == reflect.String:
		v.SetString("So11111111111111111111111111111111111111112")
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(1)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth-1)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth-1)
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, depth-1)
		}
	}
}
