// What clang-format must leave as it is: CommentPragmas of .clang-format. All of these lines are beyond the limit.
//
//   %k = get; %s = dot %q, %k             Lead      products that wait for no other product, and what they need to be issued (T)
//   %m1 = max(%m, %s)                     Compute   what needs no sum of the second products
//
// - An item of a list that is longer than a line may be, which would be broken before its last words if it were not kept.
//   Its second line.

//===--- A banner that is longer than a line may be -------------------------------------------------------------------------===//

///   %k = get; %s = dot %q, %k             Lead     products that wait for no other product, and what they need to be issued (T)
///   %m1 = max(%m, %s)                     Compute  what needs no sum of the second products
int kept;
