// Package docs holds the code of the guides in this folder, as examples that are
// compiled and run. There is nothing to import.
package docs
