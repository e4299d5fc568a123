// TileEstimate: which choices of tile parameters are worth a question to the compiler, judged by its answers to others.
//
// A question takes milliseconds, and two parameters of 15 values have 225 choices. So a text with many is asked about
// in stages: first about a few values of each parameter, then about the choices between them that promise most, and
// last about those beside the fastest of all.
//
// What a launch takes is no smooth function of its tile sizes, but mostly for two reasons that need no question: tiles
// reach beyond the tensors, and the last round leaves multiprocessors without a tile. Divided by both it is smooth, and
// interpolated between the answers.
#pragma once

#include "runtime/tuner/space/SpaceQuestions.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tawa {

/// Parameters and their values, as SpaceInput has them.
using TileLists = std::vector<std::pair<std::string, std::vector<int64_t>>>;

struct TileStages {
  std::vector<TileValues> first, later; ///< In the order of the list; where few are later, all are first.
};
/// The first: those of powers of two, which are single products and so have few causes of surprise, and of each
/// parameter's value that the text lists first.
TileStages stagesOf(const SpaceInput &input, const std::vector<TileValues> &tiles);

/// Those of `later` that are worth a question, in the order of the list. `choices` has the answers so far, `candidates`
/// their points. All of them, where there is no legal point to judge them by.
std::vector<TileValues> promisingTiles(const SpaceInput &input, const std::vector<TileValues> &later,
                                       const TileChoices &choices, std::span<const Candidate> candidates);

/// Those of `later` that have no answer yet and differ from one of the two fastest tiles by one step of one parameter:
/// an estimate is wrong where the kernel has another form than at the sizes around it.
std::vector<TileValues> tilesBesideFastest(const SpaceInput &input, const std::vector<TileValues> &later,
                                           const TileChoices &choices, std::span<const Candidate> candidates);

/// The predictions of points, interpolated between their tile sizes.
class TileEstimate {
public:
  TileEstimate(const SpaceInput &input, const TileChoices &choices, std::span<const Candidate> candidates);

  /// The values without those that another one makes superfluous, whatever the other parameters have.
  TileLists usefulSizes() const;
  /// Whether a product finds its rows along one of the dimensions; else it falls to instructions half as fast.
  bool hasRows(const TileValues &tile) const;
  double fastest() const; ///< Of the points; infinite where none is legal.
  /// Of the fastest configuration of a tile; infinite where no legal point is near.
  double secondsOf(const TileValues &tile) const;

private:
  /// Elements of a result along the dimension of which a parameter is the part of one program; none: not known.
  using Extent = std::optional<double>;
  struct Known {
    double tiles = 0;
    std::map<int, double> seconds; ///< Of the fastest point, by the number of CTAs that share a tile.
  };
  struct Corner {
    TileValues tile;
    double weight = 1;
  };

  void findValues();
  void findExtents(const TileChoices &choices);
  std::vector<Corner> cornersOf(const TileValues &tile) const;
  bool isUseful(const std::string &parameter, const std::vector<int64_t> &sizes, int64_t size) const;
  double tilesAlong(const std::string &parameter, int64_t size) const;
  double interpolate(const TileValues &tile, const std::vector<Corner> &corners, int split) const;
  double idle(double tiles, int split) const;

  const SpaceInput &input;
  bool takesRows = false; ///< Products of wgmma.
  std::map<TileValues, Known> known;
  std::map<std::string, std::vector<int64_t>> values; ///< Of the known tiles, ascending.
  std::map<std::string, Extent> extents;              ///< Of parameters that are the size of a part of a result.
};

} // namespace tawa
