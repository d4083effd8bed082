// Package routes tests that the clients and the sandbox agree on every route: each is
// called by a client's method, under the documented words and under a deployment that
// renames them all, and the sources of the two sides name the same calls and codes.
package routes
