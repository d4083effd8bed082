// Package faking holds how the services' builders give an answer the intent of its request,
// for package walletfitest: the field that has it is not exported.
package faking

import (
	"reflect"

	"github.com/walletfi/walletfi-go"
)

type pair struct{ request, answer reflect.Type }

var builders = map[pair]func(request, answer any) walletfi.Intent{}

// Add notes that builders answer an R with an A, how they make the intent of an R, and where A
// has it. A package adds its own when the program starts.
func Add[R, A any](make func(R) walletfi.Intent, at func(*A) *walletfi.Intent) {
	AddAnswered(func(r R, _ *A) walletfi.Intent { return make(r) }, at)
}

// AddAnswered is Add for an intent that takes something from the answer.
func AddAnswered[R, A any](make func(R, *A) walletfi.Intent, at func(*A) *walletfi.Intent) {
	builders[pair{reflect.TypeFor[R](), reflect.TypeFor[A]()}] = func(r, a any) walletfi.Intent {
		answer := a.(*A)
		intent := make(r.(R), answer)
		*at(answer) = intent
		return intent
	}
}

// Give gives answer the intent of request. It is false if no builder answers such a request so.
func Give[R, A any](request R, answer *A) (intent walletfi.Intent, ok bool) {
	give, ok := builders[pair{reflect.TypeFor[R](), reflect.TypeFor[A]()}]
	if ok {
		intent = give(request, answer)
	}
	return intent, ok
}

// Len is how many pairs of a request and an answer are known.
func Len() int { return len(builders) }
