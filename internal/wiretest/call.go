package wiretest

import (
	"context"
	"path"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go"
)

// Call is a call of a client's method, which a table can hold.
type Call struct {
	method reflect.Value
	args   []any
}

// Of returns the call of a method with what follows its context. The method is an
// expression, as in Of((*lending.Client).GetAccount, "W1").
func Of(method any, args ...any) Call { return Call{reflect.ValueOf(method), args} }

// Name is the method's package and name, as in "lending.GetAccount".
func (c Call) Name() string {
	name := path.Base(runtime.FuncForPC(c.method.Pointer()).Name())
	return strings.Replace(name, "(*Client).", "", 1)
}

// Make makes the call. The result is nil if the method returns an error alone. That of
// an iterator has no error yet.
func (c Call) Make(ctx context.Context, client any, opts ...walletfi.CallOption) (any, error) {
	in := []reflect.Value{reflect.ValueOf(client), reflect.ValueOf(ctx)}
	for _, arg := range c.args {
		in = append(in, c.value(arg, len(in)))
	}
	for _, opt := range opts {
		in = append(in, reflect.ValueOf(opt))
	}
	out := c.method.Call(in)
	err, failed := out[len(out)-1].Interface().(error)
	if len(out) == 1 && (failed || out[0].Type() == reflect.TypeFor[error]()) {
		return nil, err
	}
	return out[0].Interface(), err
}

// Error makes the call for its error.
func (c Call) Error(ctx context.Context, client any, opts ...walletfi.CallOption) error {
	_, err := c.Make(ctx, client, opts...)
	return err
}

// Made is a call of a Case.
type Made struct {
	name string // of the method, without its package
	make func(t *testing.T, base string) (any, error)
}

// By makes the call with the client that create returns of a base URL, as a Case wants it.
func By[Client any](create func(testing.TB, string) *Client, method any, args ...any) Made {
	call := Of(method, args...)
	_, name, _ := strings.Cut(call.Name(), ".")
	return Made{name, func(t *testing.T, base string) (any, error) { return call.Make(t.Context(), create(t, base)) }}
}

// value is the argument at place i: a text or nil takes the parameter's type.
func (c Call) value(arg any, i int) reflect.Value {
	of := c.method.Type()
	if i >= of.NumIn()-1 {
		return reflect.ValueOf(arg)
	}
	if arg == nil {
		return reflect.Zero(of.In(i))
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
		return v.Convert(of.In(i))
	}
	return reflect.ValueOf(arg)
}

// Error returns the error of a call.
func Error[T any](_ T, err error) error { return err }
